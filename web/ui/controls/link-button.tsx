import type { ReactNode } from 'react'
import { Link, type LinkProps } from 'react-router'
import { classNames } from '../hooks/class-names.ts'
import { type ButtonSize, type ButtonVariant, getButtonClasses } from './button.tsx'

interface LinkButtonProps extends LinkProps {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
}

/** For routes inside the app; `AnchorButton` is for outside links and pages without the router. */
export function LinkButton({ variant, size, icon, className, children, ...rest }: LinkButtonProps) {
  return (
    <Link {...rest} className={classNames(getButtonClasses({ variant, size }), className)}>
      {icon}
      {children}
    </Link>
  )
}
