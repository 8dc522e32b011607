import type { ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'

export function Kbd({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <kbd
      className={classNames(
        'rounded-xs border border-b-2 border-border bg-card px-[5px] font-sans text-micro leading-4 font-medium whitespace-nowrap text-muted-foreground',
        className,
      )}
    >
      {children}
    </kbd>
  )
}
