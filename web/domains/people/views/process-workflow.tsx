import { useQueries } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { type Invitation, invitations } from '#contract/domains/invitations.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { roleNames } from '#web/ui/text/domain-role-texts.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { InvitationActions } from '../invitation-actions.tsx'
import type { PeopleBoardData } from '../people-board-data.ts'

const states: Record<Invitation['state'], { label: string; tone: BadgeTone }> = {
  open: { label: 'Open', tone: 'info' },
  accepted: { label: 'Accepted', tone: 'success' },
  expired: { label: 'Expired', tone: 'warning' },
  revoked: { label: 'Revoked', tone: 'neutral' },
  stopped: { label: 'Stopped', tone: 'warning' },
}

/** Shows no link opens, because they aren't recorded for privacy. */
export function ProcessWorkflow({ board }: { board: PeopleBoardData }) {
  const managedDomains = board.samples ? [] : board.domains.filter(({ canManage }) => canManage)
  const lists = useQueries({
    queries: managedDomains.map(({ id }) => ({
      queryKey: ['people', 'invitations', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => readAllPages<Invitation>(invitations.list, { id }, signal),
    })),
  })
  const [notice, setNotice] = useState<{ tone: 'success' | 'error'; text: string; at: number }>()
  const failed = lists.find(({ error }) => error)
  const allInvitations = board.samples?.invitations ?? lists.flatMap(({ data }) => data ?? [])
  const { visible: visibleInvitations, more } = useLimitedList(allInvitations, {
    initialVisible: 100,
    size: 'small',
    variant: 'plain',
    className: 'mt-3',
  })
  const names = new Map(board.domains.map(({ id, name }) => [id, name]))

  if (!board.samples && managedDomains.length === 0)
    return (
      <EmptyPanel drawing="letter" title="You can’t see invitations">
        Only the owner and admins of a domain can see its invitations.
      </EmptyPanel>
    )
  return (
    <div className="max-w-[860px]">
      {notice && (
        <Banner key={notice.at} tone={notice.tone} className="mb-4" onDismiss={() => setNotice(undefined)}>
          {notice.text}
        </Banner>
      )}
      {failed && (
        <ErrorPanel
          title="Invitations couldn’t be loaded"
          onRetry={() => lists.forEach((list) => void list.refetch())}
          retryLabel="Try Again"
          retrying={lists.some(({ isFetching }) => isFetching)}
          reason={failed.error}
          className="mb-4"
        >
          {failed.error?.message}
        </ErrorPanel>
      )}
      {lists.some(({ isPending }) => isPending) && (
        <SkeletonGroup className="flex flex-col gap-3">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} className="h-16" />
          ))}
        </SkeletonGroup>
      )}
      {!failed && allInvitations.length === 0 && !lists.some(({ isPending }) => isPending) && (
        <EmptyPanel drawing="letter" title="No invitations yet">
          Invite people and follow their progress here until they join.
        </EmptyPanel>
      )}
      {allInvitations.length > 0 && (
        <p className="mb-2 text-ui text-muted-foreground">
          {(['open', 'accepted', 'expired', 'revoked', 'stopped'] as const)
            .map((state) => ({
              state,
              count: allInvitations.filter((invitation) => invitation.state === state).length,
            }))
            .filter(({ count }) => count > 0)
            .map(({ state, count }) => `${pluralize(count, 'invitation')} ${states[state].label.toLowerCase()}`)
            .join(', ')}
        </p>
      )}
      <ul aria-label="Invitations">
        {visibleInvitations.map((invitation) => (
          <li key={invitation.id} className="border-b border-hairline py-3.5">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <p className="min-w-0 font-serif text-lead font-medium wrap-anywhere">{invitation.email}</p>
              <Badge tone={states[invitation.state].tone}>{states[invitation.state].label}</Badge>
              <span className="text-small text-muted-foreground">
                {roleNames[invitation.role]}
                {names.size > 1 && ` in ${names.get(invitation.domainId) ?? 'a domain'}`}
              </span>
            </div>
            <Steps invitation={invitation} />
            {!board.samples && invitation.state !== 'accepted' && invitation.state !== 'revoked' && (
              <InvitationActions
                invitation={invitation}
                isOpen={invitation.state === 'open'}
                onNotice={(next) => setNotice({ ...next, at: Date.now() })}
              />
            )}
          </li>
        ))}
      </ul>
      {more}
    </div>
  )
}

function Steps({ invitation }: { invitation: Invitation }) {
  const { state, createdAt, expiresAt, acceptedAt, invitedBy, acceptedBy } = invitation
  return (
    <ol className="my-2 flex flex-wrap gap-x-6 gap-y-1 text-small">
      <WorkflowStep done>
        Invited <Time value={createdAt} />
        {invitedBy?.name && ` by ${invitedBy.name}`}
      </WorkflowStep>
      <WorkflowStep done={state === 'accepted'}>
        {state === 'accepted' && acceptedAt ? (
          <>
            Accepted <Time value={acceptedAt} />
            {acceptedBy?.name && ` by ${acceptedBy.name}`}
          </>
        ) : state === 'open' ? (
          <>
            Waiting for an answer until <Time value={expiresAt} />
          </>
        ) : state === 'expired' ? (
          <>
            Expired <Time value={expiresAt} />
          </>
        ) : state === 'stopped' ? (
          'The sender can no longer invite people. Resend the invitation to make it valid.'
        ) : (
          'Revoked'
        )}
      </WorkflowStep>
    </ol>
  )
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
