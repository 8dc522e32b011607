import { type ReactNode, useId } from 'react'

export function DrawerSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-5 border-t border-hairline pt-4">
      <h4 id={id} className="mb-2 font-sans text-small font-label text-muted-foreground">
        {title}
      </h4>
      {children}
    </section>
  )
}
