import type { ReactNode } from 'react'

export function RightPanel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <aside
      data-right-panel
      data-chrome
      aria-label={label}
      className="h-full w-[264px] shrink-0 overflow-y-auto border-s border-border bg-card"
    >
      {children}
    </aside>
  )
}
