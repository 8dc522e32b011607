import type { ReactNode } from 'react'
import { Spot, type SpotName } from '../drawings/spot.tsx'
import { classNames } from '../hooks/class-names.ts'

export interface EmptyPanelProps {
  drawing?: SpotName
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
  className?: string
}

export function EmptyPanel({ drawing = 'drawer', title, children, action, className }: EmptyPanelProps) {
  return (
    <div
      className={classNames(
        'flex flex-col items-center gap-2 rounded-lg border-[1.5px] border-dashed border-border px-6 py-9 text-center',
        className,
      )}
    >
      <Spot name={drawing} width={128} className="mb-1" />
      <p className="font-serif text-[1.1875rem] leading-[1.625rem] font-medium text-balance">{title}</p>
      {children && <p className="max-w-[26em] text-ui text-muted-foreground">{children}</p>}
      {action && <div className="mt-1.5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
