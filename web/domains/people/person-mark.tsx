import { Mail } from 'lucide-react'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { notJoinedYet } from '#web/ui/panels/not-joined-yet.ts'
import { isMemberRole, roleNames, roleOptions } from '#web/ui/text/domain-role-texts.ts'
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

/** The email or pending status below a name; empty if the email replaces the name. */
export function getPersonSubtitle({ name, email, status, invitationId }: DomainPerson): string {
  if (status === 'pending') return invitationId ? 'Invited, not joined yet' : notJoinedYet
  return name && email ? email : ''
}

interface RoleSelectProps {
  person: DomainPerson
  onRole: (person: DomainPerson, role: MemberRole) => void
  labelHidden?: boolean
  className?: string
}

export function RoleSelect({ person, onRole, labelHidden = true, className }: RoleSelectProps) {
  if (!person.mayChange) return <span className="text-ui text-muted-foreground">{roleNames[person.relation]}</span>
  return (
    <SelectField
      label={`Role of ${getPersonName(person)}`}
      labelHidden={labelHidden}
      options={roleOptions}
      value={person.relation}
      onChange={({ currentTarget: { value } }) => isMemberRole(value) && onRole(person, value)}
      className={className}
    />
  )
}
