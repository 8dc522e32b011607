import type { MemberRole } from '#contract/domains/domains.ts'
import type { DomainPerson } from '#contract/domains/people.ts'
import { isMemberRole, roleNames, roleOptions } from '#web/domain-role-texts.ts'
import { getPersonName } from '#web/ui/person-name.ts'
import { SelectField } from '#web/ui/select-field.tsx'

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
