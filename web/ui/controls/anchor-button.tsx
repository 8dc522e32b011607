import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { type ButtonSize, type ButtonVariant, getButtonClasses } from './button.tsx'

export interface AnchorButtonProps extends ComponentProps<'a'> {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
}

export function AnchorButton({ variant, size, icon, className, children, ...rest }: AnchorButtonProps) {
  return (
    <a {...rest} className={classNames(getButtonClasses({ variant, size }), className)}>
      {icon}
      {children}
    </a>
  )
}
