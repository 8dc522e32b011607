import { useQueries } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type Invitation, invitations } from '#contract/domains/invitations.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { roleNames } from '#web/ui/text/domain-role-texts.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { InvitationActions, InvitationBadge, invitationStateLabels } from '../invitation-actions.tsx'
import type { PeopleBoardData } from '../people-board-data.ts'

/** Doesn't show who opened a link: for privacy, that isn't recorded. */
export function ProcessWorkflow({ board }: { board: PeopleBoardData }) {
  const managedDomains = board.samples ? [] : board.domains.filter(({ canManage }) => canManage)
  const lists = useQueries({
    queries: managedDomains.map(({ id }) => ({
      queryKey: ['people', 'invitations', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => readAllPages<Invitation>(invitations.list, { id }, signal),
    })),
  })
  const { showNotice, noticeBanner } = useNotice('mb-4')
  const failedList = lists.find(({ error }) => error)
  const allInvitations = board.samples?.invitations ?? lists.flatMap(({ data }) => data ?? [])
  const { visible: visibleInvitations, showMoreButton } = useLimitedList(allInvitations, {
    initialVisible: 100,
    size: 'small',
    variant: 'plain',
    className: 'mt-3',
  })
  const domainNames = new Map(board.domains.map(({ id, name }) => [id, name]))

  if (!board.samples && managedDomains.length === 0)
    return (
      <EmptyPanel drawing="letter" title="You can’t see invitations">
        Only the owner and admins of a domain can see its invitations.
      </EmptyPanel>
    )
  return (
    <div className="max-w-[860px]">
      {noticeBanner}
      {failedList && (
        <ErrorPanel
          title="Invitations couldn’t be loaded"
          onRetry={() => lists.forEach((list) => void list.refetch())}
          retryLabel="Try Again"
          retrying={lists.some(({ isFetching }) => isFetching)}
          reason={failedList.error}
          className="mb-4"
        >
          {failedList.error?.message}
        </ErrorPanel>
      )}
      {lists.some(({ isPending }) => isPending) && (
        <SkeletonGroup className="flex flex-col gap-3">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} className="h-16" />
          ))}
        </SkeletonGroup>
      )}
      {!failedList && allInvitations.length === 0 && !lists.some(({ isPending }) => isPending) && (
        <EmptyPanel drawing="letter" title="No invitations yet">
          Invite people and follow their progress here until they join.
        </EmptyPanel>
      )}
      {allInvitations.length > 0 && (
        <p className="mb-2 text-ui text-muted-foreground">
          {Object.entries(invitationStateLabels)
            .map(([state, label]) => ({
              label: label.toLowerCase(),
              count: allInvitations.filter((invitation) => invitation.state === state).length,
            }))
            .filter(({ count }) => count > 0)
            .map(({ label, count }) => `${pluralize(count, 'invitation')} ${label}`)
            .join(', ')}
        </p>
      )}
      <ul aria-label="Invitations">
        {visibleInvitations.map((invitation) => (
          <li key={invitation.id} className="border-b border-hairline py-3.5">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <p className="min-w-0 font-serif text-lead font-medium wrap-anywhere">{invitation.email}</p>
              <InvitationBadge state={invitation.state} />
              <span className="text-small text-muted-foreground">
                {roleNames[invitation.role]}
                {domainNames.size > 1 && ` in ${domainNames.get(invitation.domainId) ?? 'a domain'}`}
              </span>
            </div>
            <WorkflowSteps invitation={invitation} />
            {!board.samples && invitation.state !== 'accepted' && invitation.state !== 'revoked' && (
              <InvitationActions invitation={invitation} isOpen={invitation.state === 'open'} showNotice={showNotice} />
            )}
          </li>
        ))}
      </ul>
      {showMoreButton}
    </div>
  )
}

function WorkflowSteps({ invitation }: { invitation: Invitation }) {
  const { state, createdAt, invitedBy } = invitation
  return (
    <ol className="my-2 flex flex-wrap gap-x-6 gap-y-1 text-small">
      <WorkflowStep done>
        Invited <Time value={createdAt} />
        {invitedBy?.name && ` by ${invitedBy.name}`}
      </WorkflowStep>
      <WorkflowStep done={state === 'accepted'}>
        <InvitationOutcome invitation={invitation} />
      </WorkflowStep>
    </ol>
  )
}

function InvitationOutcome({ invitation }: { invitation: Invitation }) {
  const { state, expiresAt, acceptedAt, acceptedBy } = invitation
  if (state === 'accepted' && acceptedAt)
    return (
      <>
        Accepted <Time value={acceptedAt} />
        {acceptedBy?.name && ` by ${acceptedBy.name}`}
      </>
    )
  if (state === 'open')
    return (
      <>
        Waiting for an answer until <Time value={expiresAt} />
      </>
    )
  if (state === 'expired')
    return (
      <>
        Expired <Time value={expiresAt} />
      </>
    )
  if (state === 'stopped') return 'The sender can no longer invite people. Resend the invitation to make it valid.'
  return 'Revoked'
}

function WorkflowStep({ done, children }: { done: boolean; children: React.ReactNode }) {
  return (
    <li className="flex items-center gap-2 text-muted-foreground">
      <span
        aria-hidden
        className={classNames(
          'grid size-4 shrink-0 place-items-center rounded-full border',
          done ? 'border-success text-success' : 'border-dashed border-input',
        )}
      >
        {done && <Check size={11} strokeWidth={3} />}
      </span>
      <span>{children}</span>
    </li>
  )
}
