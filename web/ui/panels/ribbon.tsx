import type { ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'

export function Ribbon({ isDropping = false, className }: { isDropping?: boolean; className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames('absolute -top-px overflow-hidden', className ?? 'end-4 h-[34px] w-[13px]')}
    >
      <span className={classNames('block size-full spine bg-ribbon', isDropping && 'animate-drop')} />
    </span>
  )
}

export function SavedLabel({ children = 'Kept' }: { children?: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-[5px] text-small font-label text-ribbon-text">
      <span aria-hidden className="h-3 w-[7px] spine bg-ribbon" />
      {children}
    </span>
  )
}
