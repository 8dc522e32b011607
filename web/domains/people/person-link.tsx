import type { DomainPerson } from '#contract/domains/people.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'

interface PersonLinkProps {
  person: DomainPerson
  onOpen: (person: DomainPerson) => void
}

export function PersonLink({ person, onOpen }: PersonLinkProps) {
  return (
    <button
      type="button"
      onClick={() => onOpen(person)}
      className="block min-h-6 max-w-full truncate rounded-xs text-start font-serif text-lead leading-[22px] font-medium underline-offset-2 hover:underline"
    >
      {getPersonName(person)}
    </button>
  )
}
