import { Mail } from 'lucide-react'
import type { DomainPerson } from '#contract/domains/people.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'

export function PersonMark({ person, large = false }: { person: DomainPerson; large?: boolean }) {
  const pending = person.status === 'pending'
  return (
    <span
      aria-hidden
      className={classNames(
        'grid shrink-0 place-items-center rounded-full border font-serif leading-none',
        large ? 'size-12 text-[21px]' : 'size-8 text-[15px]',
        pending
          ? 'border-dashed border-input text-muted-foreground'
          : 'border-transparent bg-secondary text-secondary-foreground',
      )}
    >
      {person.invitationId ? <Mail size={large ? 18 : 14} /> : [...getPersonName(person)][0]?.toUpperCase()}
    </span>
  )
}
