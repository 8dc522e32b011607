import type { ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'

interface DetailListProps {
  details: readonly (readonly [name: string, value: ReactNode])[]
  className?: string
  valueClassName?: string
}

/** Names in one column, their values in the next. */
export function DetailList({ details, className = 'gap-x-4 gap-y-1', valueClassName }: DetailListProps) {
  return (
    <dl className={classNames('grid grid-cols-[auto_minmax(0,1fr)] text-ui', className)}>
      {details.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted-foreground">{name}</dt>
          <dd className={classNames('wrap-anywhere', valueClassName)}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

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
