import type { ReactNode } from 'react'

export function Specimen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-7 min-w-0 break-inside-avoid" aria-label={title}>
      <h2 className="mb-3 border-b border-border pb-1.5 text-h3">{title}</h2>
      {children}
    </section>
  )
}

export function SpecimenRow({ children }: { children: ReactNode }) {
  return <div className="mb-2.5 flex flex-wrap items-center gap-2 last:mb-0">{children}</div>
}
