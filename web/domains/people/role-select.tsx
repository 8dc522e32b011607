import type { MemberRole } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { isMemberRole, roleNames, roleOptions } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'

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
