import { type ReactNode, useId } from 'react'
import { classNames } from '../hooks/class-names.ts'

export interface SectionProps {
  title: ReactNode
  help?: ReactNode
  children: ReactNode
  className?: string
}

export function Section({ title, help, children, className }: SectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={classNames(
        'grid grid-cols-[160px_minmax(0,1fr)] gap-x-8 gap-y-4 border-t border-border py-[30px] first:border-t-0 first:pt-0 phone:grid-cols-1',
        className,
      )}
    >
      <div>
        <h3 id={id}>{title}</h3>
        {help && <p className="mt-1 text-small leading-[1.0625rem] text-muted-foreground">{help}</p>}
      </div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </section>
  )
}
