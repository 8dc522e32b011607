import type { ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'

export interface StatTileProps {
  label: ReactNode
  value: ReactNode
  hint?: ReactNode
  tone?: 'neutral' | 'success' | 'destructive'
  children?: ReactNode
  className?: string
}

const toneClasses = { neutral: '', success: 'text-success', destructive: 'text-destructive' }

export function StatTile({ label, value, hint, tone = 'neutral', children, className }: StatTileProps) {
  return (
    <div className={classNames('min-w-0', className)}>
      <div className="text-small text-muted-foreground">{label}</div>
      <div className={classNames('mt-0.5 font-serif text-figure tabular-nums lining-nums', toneClasses[tone])}>
        {value}
      </div>
      {hint && <div className="text-small text-muted-foreground">{hint}</div>}
      {children && <div className="mt-2">{children}</div>}
    </div>
  )
}
