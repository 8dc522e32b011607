import { useMutation } from '@tanstack/react-query'
import { UserMinus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { canActInDomain, type DomainRole, roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import {
  type Domain,
  type DomainMember,
  domains,
  type MemberRole,
  type UserSearchResult,
} from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import { useMembers } from '#web/queries/use-my-domains.ts'
import { usePeopleSearch } from '#web/queries/use-people-search.ts'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { replaceIfUnchanged } from '#web/ui/hooks/replace-if-unchanged.ts'
import type { ShowNotice } from '#web/ui/hooks/use-notice.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { notJoinedYet, roleNames, roleOptions } from '#web/ui/text/domain-role-texts.ts'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { formatDomainFailure, getDomainErrorDetail, useInvalidateDomains } from '../domain-queries.ts'

interface MemberPanelProps {
  domain: Domain
  role: DomainRole
  personId: string
  showNotice: ShowNotice
}

export function MemberPanel({ domain, role, personId, showNotice }: MemberPanelProps) {
  const list = useMembers(domain.id)
  const [memberToRemove, setMemberToRemove] = useState<DomainMember>()
  const invalidateDomains = useInvalidateDomains()
  const canManage = canActInDomain(role, 'manageMembers')
  const members = list.data ?? []

  const changeRole = useMutation({
    async mutationFn({ userId, role: newRole }: { userId: string; role: MemberRole }) {
      await call(domains.changeMember, { params: { id: domain.id, userId }, body: { role: newRole } })
      await invalidateDomains()
      showNotice('success', 'Member role updated')
    },
    onError: (reason) => showNotice('error', 'Failed to update member role', getDomainErrorDetail(reason)),
  })
  const savingChange = changeRole.isPending ? changeRole.variables : undefined

  async function remove(userId: string) {
    await call(domains.removeMember, { params: { id: domain.id, userId } })
    await invalidateDomains()
    showNotice('success', 'Member removed successfully')
  }

  return (
    <section aria-label="Members" className="mt-6 border-t border-border pt-5">
      <div className="mb-3 flex items-center gap-2">
        <h4 className="font-serif text-[1.125rem] leading-[1.5rem] font-medium">Members</h4>
        {list.data && (
          <span className="rounded-full bg-secondary px-2 text-small leading-[1.125rem] text-secondary-foreground tabular-nums">
            {members.length}
          </span>
        )}
        <Link to={`/studio/people-board?domainId=${domain.id}`} className={`ms-auto ${quietLinkClasses}`}>
          People board
        </Link>
      </div>
      {canManage && (
        <AddMember domain={domain} excludedIds={members.map(({ userId }) => userId)} showNotice={showNotice} />
      )}
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
              canChange={canManage && member.role !== 'owner' && member.userId !== personId}
              savingRole={savingChange?.userId === member.userId ? savingChange.role : undefined}
              onRoleChange={(newRole) => changeRole.mutate({ userId: member.userId, role: newRole })}
              onRemove={() => setMemberToRemove(member)}
            />
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={memberToRemove !== undefined}
        onOpenChange={(open) => !open && setMemberToRemove(undefined)}
        title={withNames`Remove ${memberToRemove ? getPersonName(memberToRemove) : ''}?`}
        confirmLabel="Remove member"
        busyLabel="Removing..."
        formatError={(reason) => formatDomainFailure('Failed to remove member', reason)}
        onConfirm={() => memberToRemove && remove(memberToRemove.userId)}
      >
        Are you sure you want to remove this member? Their notes on the people board are deleted too.
      </ConfirmDialog>
    </section>
  )
}

interface MemberRowProps {
  member: DomainMember
  isSelf: boolean
  canChange: boolean
  savingRole: MemberRole | undefined
  onRoleChange: (role: MemberRole) => void
  onRemove: () => void
}

function MemberRow({ member, isSelf, canChange, savingRole, onRoleChange, onRemove }: MemberRowProps) {
  const name = getPersonName(member)
  return (
    <li className="flex min-h-[2.875rem] flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-hairline py-1.5 last:border-0">
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
      {canChange ? (
        <span className="flex items-center gap-2 phone:w-full phone:justify-between phone:ps-9">
          <SelectField
            label={`Role of ${name}`}
            labelHidden
            className="w-32"
            value={savingRole ?? member.role}
            aria-busy={savingRole !== undefined}
            disabled={savingRole !== undefined}
            options={roleOptions}
            onChange={(event) => onRoleChange(event.currentTarget.value as MemberRole)}
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

interface AddMemberProps {
  domain: Domain
  excludedIds: readonly string[]
  showNotice: ShowNotice
}

function AddMember({ domain, excludedIds, showNotice }: AddMemberProps) {
  const [text, setText] = useState('')
  const { isQueryLongEnough, results: people, total, error, isFetching } = usePeopleSearch(text, excludedIds)
  const [role, setRole] = useState<MemberRole>('user')
  const invalidateDomains = useInvalidateDomains()

  const add = useMutation({
    async mutationFn(person: UserSearchResult) {
      await call(domains.addMember, { params: { id: domain.id }, body: { userId: person.id, role } })
      setText(replaceIfUnchanged(text, ''))
      await invalidateDomains()
      showNotice('success', 'Member added successfully')
    },
    onError: (reason) => showNotice('error', 'Failed to add member', getDomainErrorDetail(reason)),
  })
  const addingId = add.isPending ? add.variables.id : undefined

  return (
    <div className="mb-3">
      <div className="flex flex-wrap items-end gap-2">
        <SearchField
          label="Add by name or email"
          value={text}
          onValueChange={setText}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          className="min-w-0 flex-1 basis-56"
        />
        <span className="flex items-center gap-2">
          <span aria-hidden className="text-ui text-muted-foreground">
            as
          </span>
          <SelectField
            label="Role of the new member"
            labelHidden
            className="w-32"
            value={role}
            options={roleOptions}
            onChange={(event) => setRole(event.currentTarget.value as MemberRole)}
          />
        </span>
      </div>
      <p role="status" className="mt-1.5 text-small text-muted-foreground empty:hidden">
        {isQueryLongEnough && (error ? error.message : formatSearchStatus(people.length, total, isFetching))}
      </p>
      {people.length > 0 && (
        <ul aria-label="People found" className="mt-1.5 rounded-md border border-border bg-popover">
          {people.map((person) => (
            <li
              key={person.id}
              className="flex items-center gap-3 border-b border-hairline px-3 py-1.5 last:border-b-0"
            >
              <span className="min-w-0 flex-1">
                <span dir="auto" className="block truncate text-ui font-label">
                  {getPersonName(person)}
                </span>
                {person.email && person.name && (
                  <span className="block truncate text-small text-muted-foreground">{person.email}</span>
                )}
              </span>
              <Button
                size="small"
                busy={addingId === person.id}
                disabled={addingId !== undefined}
                aria-label={`Add ${getPersonName(person)} as ${roleNamesInSentence[role]}`}
                onClick={() => add.mutate(person)}
              >
                Add
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function formatSearchStatus(visibleCount: number, matchCount: number | undefined, isFetching: boolean): string {
  if (matchCount === undefined) return isFetching ? 'Searching...' : ''
  if (visibleCount > 0) return `${pluralize(visibleCount, 'person', 'people')} found`
  return matchCount > 0
    ? 'Everyone found is already in this domain.'
    : 'No people found. Type the start of a name, or a full email address.'
}
