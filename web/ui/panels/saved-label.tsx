import type { ReactNode } from 'react'

export function SavedLabel({ children = 'Kept' }: { children?: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-[5px] text-small font-label text-ribbon-text">
      <span aria-hidden className="h-3 w-[7px] spine bg-ribbon" />
      {children}
    </span>
  )
}
