import type { ReactNode } from 'react'

interface DetailProps {
  label: string
  className?: string
  children: ReactNode
}

/** A term of a `dl` above its value. */
export function Detail({ label, className = '', children }: DetailProps) {
  return (
    <div className={`min-w-0 ${className}`}>
      <dt className="text-small text-muted-foreground">{label}</dt>
      <dd className="mt-0.5 wrap-break-word tabular-nums">{children}</dd>
    </div>
  )
}
