import { Link } from 'react-router'
import type { DomainPerson } from '#contract/domains/people.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { getPeopleBoardPath } from './board-route.ts'

export interface PersonLinkProps {
  person: DomainPerson
  /** Without it, the name links to the people board. */
  onOpen?: ((person: DomainPerson) => void) | undefined
  /** Only the name, in a sample. */
  isPlain?: boolean
  /** Among other names on a line. */
  kind?: 'row' | 'inline'
}

const kindClasses = {
  row: {
    name: 'block text-start font-serif text-lead leading-[22px] font-medium',
    link: 'underline-offset-2 hover:underline',
  },
  inline: {
    name: 'text-ui',
    link: 'underline decoration-border underline-offset-3 hover:decoration-foreground',
  },
}

export function PersonLink({ person, onOpen, isPlain = false, kind = 'row' }: PersonLinkProps) {
  const { name: nameClasses, link } = kindClasses[kind]
  const name = getPersonName(person)
  if (isPlain) return <span className={`max-w-full truncate ${nameClasses}`}>{name}</span>
  const className = `min-h-6 max-w-full truncate rounded-xs ${nameClasses} ${link}`
  if (!onOpen)
    return (
      <Link to={getPeopleBoardPath(person.domainId, person.id)} className={className}>
        {name}
      </Link>
    )
  return (
    <button type="button" onClick={() => onOpen(person)} className={className}>
      {name}
    </button>
  )
}
