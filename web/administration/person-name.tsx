import type { ReactNode } from 'react'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'

interface NamedPerson {
  name: string | null
  email: string
}

export function PersonName({
  person,
  badge,
  initial = '',
}: {
  person: NamedPerson
  badge?: ReactNode
  initial?: string
}) {
  const name = getPersonName(person)
  return (
    <span className="flex min-w-0 items-center gap-3">
      <span
        aria-hidden
        className={classNames(
          'grid size-[1.625rem] shrink-0 place-items-center rounded-full bg-secondary font-serif text-[0.8125rem] leading-none font-medium text-secondary-foreground',
          initial,
        )}
      >
        {Array.from(name.trim())[0]?.toUpperCase()}
      </span>
      <span className="min-w-0">
        <span className="flex items-center gap-2">
          <span dir="auto" className="truncate leading-[1.0625rem] font-semibold">
            {name}
          </span>
          {badge}
        </span>
        {name !== person.email && (
          <span className="block truncate text-small text-muted-foreground">{person.email}</span>
        )}
      </span>
    </span>
  )
}
