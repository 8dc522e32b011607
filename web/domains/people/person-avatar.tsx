import { Mail } from 'lucide-react'
import { Link } from 'react-router'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { isMemberRole, notJoinedYet, roleNames, roleOptions } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { getPeopleBoardPath } from './people-board-data.ts'

export function PersonAvatar({ person, large = false }: { person: DomainPerson; large?: boolean }) {
  const pending = person.status === 'pending'
  return (
    <span
      aria-hidden
      className={classNames(
        'grid shrink-0 place-items-center rounded-full border font-serif leading-none',
        large ? 'size-12 text-[1.3125rem]' : 'size-8 text-[0.9375rem]',
        pending
          ? 'border-dashed border-input text-muted-foreground'
          : 'border-transparent bg-secondary text-secondary-foreground',
      )}
    >
      {person.invitationId ? <Mail size={large ? 18 : 14} /> : [...getPersonName(person)][0]?.toUpperCase()}
    </span>
  )
}

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
    name: 'block text-start font-serif text-lead leading-[1.375rem] font-medium phone:whitespace-normal phone:wrap-anywhere',
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
  if (isPlain)
    return (
      <span dir="auto" className={`max-w-full truncate ${nameClasses}`}>
        {name}
      </span>
    )
  const className = `tap-area flex min-h-6 max-w-full rounded-xs ${nameClasses} ${link}`
  const shortName = <span className="truncate">{name}</span>
  if (!onOpen)
    return (
      <Link dir="auto" to={getPeopleBoardPath(person.domainId, person.id)} className={className}>
        {shortName}
      </Link>
    )
  return (
    <button type="button" onClick={() => onOpen(person)} className={className}>
      {shortName}
    </button>
  )
}

/** The email or pending status below a name; empty if the email replaces the name. */
export function getPersonSubtitle({ name, email, status, invitationId }: DomainPerson): string {
  if (status === 'pending') return invitationId ? 'Invited, not joined yet' : notJoinedYet
  return name && email ? email : ''
}

interface RoleSelectProps {
  person: DomainPerson
  onRoleChange: (person: DomainPerson, role: MemberRole) => void
  labelHidden?: boolean
  className?: string
}

export function RoleSelect({ person, onRoleChange, labelHidden = true, className }: RoleSelectProps) {
  if (!person.mayChange) return <span className="text-ui text-muted-foreground">{roleNames[person.relation]}</span>
  return (
    <SelectField
      label={`Role of ${getPersonName(person)}`}
      labelHidden={labelHidden}
      options={roleOptions}
      value={person.relation}
      onChange={({ currentTarget: { value } }) => isMemberRole(value) && onRoleChange(person, value)}
      className={className}
    />
  )
}
