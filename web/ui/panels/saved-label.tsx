import type { ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'

export function SavedLabel({ children = 'Kept', className }: { children?: ReactNode; className?: string }) {
  return (
    <span
      className={classNames('inline-flex items-center gap-[5px] text-small font-label text-ribbon-text', className)}
    >
      <span aria-hidden className="h-3 w-[7px] spine bg-ribbon" />
      {children}
    </span>
  )
}
