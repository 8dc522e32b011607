import { UserMinus } from 'lucide-react'
import type { DomainMember, MemberRole } from '#contract/domains/domains.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { notJoinedYet } from '#web/ui/panels/not-joined-yet.ts'
import { roleNames, roleOptions } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'

interface MemberRowProps {
  member: DomainMember
  isSelf: boolean
  changeable: boolean
  savingRole: MemberRole | undefined
  onRole: (role: MemberRole) => void
  onRemove: () => void
}

export function MemberRow({ member, isSelf, changeable, savingRole, onRole, onRemove }: MemberRowProps) {
  const name = getPersonName(member)
  return (
    <li className="flex min-h-[46px] flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-hairline py-1.5 last:border-0">
      <span
        aria-hidden
        className="grid size-6 shrink-0 place-items-center rounded-full bg-secondary font-serif text-small text-secondary-foreground"
      >
        {Array.from(name)[0]?.toUpperCase()}
      </span>
      <span className="flex min-w-0 flex-1 basis-40 flex-wrap gap-x-3">
        <span className="min-w-0 truncate font-semibold">
          {name}
          {isSelf && <span className="ms-1.5 font-normal text-muted-foreground">you</span>}
        </span>
        {(member.name || !member.agreed) && (
          <span className="min-w-0 truncate text-muted-foreground">{member.agreed ? member.email : notJoinedYet}</span>
        )}
      </span>
      {changeable ? (
        <span className="flex items-center gap-2 phone:w-full phone:justify-between phone:ps-9">
          <SelectField
            label={`Role of ${name}`}
            labelHidden
            className="w-32"
            value={savingRole ?? member.role}
            aria-busy={savingRole !== undefined}
            disabled={savingRole !== undefined}
            options={roleOptions}
            onChange={(event) => onRole(event.currentTarget.value as MemberRole)}
          />
          <IconButton label={`Remove ${name}`} onClick={onRemove}>
            <UserMinus aria-hidden size={15} />
          </IconButton>
        </span>
      ) : (
        <span className="text-muted-foreground">{roleNames[member.role]}</span>
      )}
    </li>
  )
}
