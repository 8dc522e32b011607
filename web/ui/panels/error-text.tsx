import type { ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'

interface ErrorTextProps {
  /** Renders nothing while empty. */
  children: ReactNode
  className?: string
}

export function ErrorText({ children, className }: ErrorTextProps) {
  if (!children) return null
  return (
    <p role="alert" className={classNames('text-ui font-medium wrap-break-word text-destructive', className)}>
      {children}
    </p>
  )
}
