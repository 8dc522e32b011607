import { UserMinus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { canActInDomain, type DomainRole } from '#contract/domains/domain-actions.ts'
import { type Domain, type DomainMember, domains, type MemberRole } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import { useMembers } from '#web/queries/use-my-domains.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { notJoinedYet, roleNames, roleOptions } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import type { Notify } from '../domain-detail.tsx'
import { describeDomainError, getDomainErrorDetail, useInvalidateDomains } from '../domain-queries.ts'
import { AddMember } from './add-member.tsx'

interface MemberPanelProps {
  domain: Domain
  role: DomainRole
  personId: string
  notify: Notify
}

export function MemberPanel({ domain, role, personId, notify }: MemberPanelProps) {
  const list = useMembers(domain.id)
  const [savingChange, setSavingChange] = useState<{ userId: string; role: MemberRole }>()
  const [removing, setRemoving] = useState<DomainMember>()
  const invalidateDomains = useInvalidateDomains()
  const canManage = canActInDomain(role, 'manageMembers')
  const members = list.data ?? []

  async function changeRole(userId: string, newRole: MemberRole) {
    setSavingChange({ userId, role: newRole })
    try {
      await call(domains.changeMember, { params: { id: domain.id, userId }, body: { role: newRole } })
      await invalidateDomains()
      notify('success', 'Member role updated')
    } catch (reason) {
      notify('error', 'Failed to update member role', getDomainErrorDetail(reason))
    } finally {
      setSavingChange(undefined)
    }
  }

  async function remove(userId: string) {
    await call(domains.removeMember, { params: { id: domain.id, userId } })
    await invalidateDomains()
    notify('success', 'Member removed successfully')
  }

  return (
    <section aria-label="Members" className="mt-6 border-t border-border pt-5">
      <div className="mb-3 flex items-center gap-2">
        <h4 className="font-serif text-[18px] leading-[24px] font-medium">Members</h4>
        {list.data && (
          <span className="rounded-full bg-secondary px-2 text-small leading-[18px] text-secondary-foreground tabular-nums">
            {members.length}
          </span>
        )}
        <Link to={`/studio/people-board?domainId=${domain.id}`} className={`ms-auto ${quietLinkClasses}`}>
          People board
        </Link>
      </div>
      {canManage && <AddMember domain={domain} excludedIds={members.map(({ userId }) => userId)} notify={notify} />}
      {list.isPending && (
        <SkeletonGroup label="Loading members" className="flex flex-col gap-2">
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-11 w-full" />
        </SkeletonGroup>
      )}
      {list.isError && !list.data && (
        <Banner tone="error" action={<RetryButton busy={list.isFetching} onClick={() => list.refetch()} />}>
          Failed to load members. {list.error.message}
        </Banner>
      )}
      {list.data && (
        <ul aria-label={`Members of ${domain.name}`}>
          {members.map((member) => (
            <MemberRow
              key={member.userId}
              member={member}
              isSelf={member.userId === personId}
              changeable={canManage && member.role !== 'owner' && member.userId !== personId}
              savingRole={savingChange?.userId === member.userId ? savingChange.role : undefined}
              onRole={(newRole) => changeRole(member.userId, newRole)}
              onRemove={() => setRemoving(member)}
            />
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={removing !== undefined}
        onOpenChange={(open) => !open && setRemoving(undefined)}
        title={`Remove ${removing ? getPersonName(removing) : ''}?`}
        confirmLabel="Remove member"
        busyLabel="Removing..."
        onConfirm={() => removing && remove(removing.userId)}
        describeError={(reason) => describeDomainError('Failed to remove member', reason)}
      >
        Are you sure you want to remove this member? Their notes on the people board are deleted too.
      </ConfirmDialog>
    </section>
  )
}

interface MemberRowProps {
  member: DomainMember
  isSelf: boolean
  changeable: boolean
  savingRole: MemberRole | undefined
  onRole: (role: MemberRole) => void
  onRemove: () => void
}

function MemberRow({ member, isSelf, changeable, savingRole, onRole, onRemove }: MemberRowProps) {
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
