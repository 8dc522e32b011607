import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useId, useState } from 'react'
import type { Domain } from '#contract/domains/domains.ts'
import { type Invitation, type InvitationWithLink, invitations } from '#contract/domains/invitations.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { type ShowNotice, useNotice } from '#web/ui/hooks/use-notice.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { roleNames } from '#web/ui/text/domain-role-texts.ts'
import { Time } from '#web/ui/text/time.tsx'
import { InvitationActions, InvitationBadge } from '../people/invitation-actions.tsx'
import { InvitedLinks, InvitePeopleDialog } from './invite-people-dialog.tsx'

export function InvitationPanel({ domain }: { domain: Pick<Domain, 'id' | 'name'> }) {
  const headingId = useId()
  const { showNotice, clearNotice, noticeBanner } = useNotice()
  const [isInviting, setIsInviting] = useState(false)
  const [scope, setScope] = useState<'waiting' | 'all'>('waiting')
  const [lastResent, setLastResent] = useState<InvitationWithLink>()
  const list = useQuery({
    queryKey: ['domains', domain.id, 'invitations'],
    queryFn: ({ signal }) => readAllPages<Invitation>(invitations.list, { id: domain.id }, signal),
  })
  const allInvitations = list.data ?? []
  const waitingInvitations = allInvitations.filter(isWaiting)
  const { visible: visibleInvitations, showMoreButton } = useLimitedList(
    scope === 'waiting' ? waitingInvitations : allInvitations,
    { initialVisible: 20, size: 'small', variant: 'plain', className: '' },
  )
  const resent = lastResent && isStillOpen(lastResent, allInvitations) ? lastResent : undefined
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <h4 id={headingId} className="flex-1 font-serif text-[1.125rem] leading-[1.5rem] font-medium">
          Invitations
        </h4>
        <Button size="small" icon={<UserPlus aria-hidden size={14} />} onClick={() => setIsInviting(true)}>
          Invite people
        </Button>
      </div>
      {noticeBanner}
      {resent && (
        <div className="flex flex-col gap-2">
          <p role="status" className="text-ui">
            A new link for {resent.email} is ready. The old one no longer works.
          </p>
          <InvitedLinks invited={[resent]} />
        </div>
      )}
      {list.isPending && (
        <SkeletonGroup label="Loading invitations" className="flex flex-col gap-2">
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </SkeletonGroup>
      )}
      <QueryError query={list} title="Failed to load invitations">
        {list.error?.message}
      </QueryError>
      {list.data && allInvitations.length > waitingInvitations.length && (
        <SegmentedControl
          label="Which invitations"
          className="self-start"
          options={[
            { value: 'waiting', label: `Waiting (${waitingInvitations.length})` },
            { value: 'all', label: `All (${allInvitations.length})` },
          ]}
          value={scope}
          onValueChange={setScope}
        />
      )}
      {list.data && visibleInvitations.length === 0 && (
        <p className="text-ui text-muted-foreground">
          No pending invitations. An invitation is a link you share yourself, so you don’t need a mail server.
        </p>
      )}
      {visibleInvitations.length > 0 && (
        <ul aria-label="Invitations">
          {visibleInvitations.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              showNotice={showNotice}
              onResent={(resentInvitation) => {
                clearNotice()
                setLastResent(resentInvitation)
              }}
            />
          ))}
        </ul>
      )}
      {showMoreButton}
      <InvitePeopleDialog domain={domain} open={isInviting} onOpenChange={setIsInviting} />
    </section>
  )
}

/** Whether a newly created link still works, according to the (possibly older) list of invitations. */
export function isStillOpen({ id, sentAt }: Pick<Invitation, 'id' | 'sentAt'>, list: readonly Invitation[]): boolean {
  const listed = list.find((invitation) => invitation.id === id)
  return !listed || listed.sentAt < sentAt || (listed.sentAt === sentAt && listed.state === 'open')
}

/** Whether it can still be accepted, now or after resending. */
function isWaiting({ state }: Invitation): boolean {
  return state === 'open' || state === 'expired' || state === 'stopped'
}

interface InvitationRowProps {
  invitation: Invitation
  showNotice: ShowNotice
  onResent: (invitation: InvitationWithLink) => void
}

function InvitationRow({ invitation, showNotice, onResent }: InvitationRowProps) {
  const { email, role, state, note } = invitation
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-hairline py-2.5 last:border-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 font-medium wrap-anywhere">{email}</span>
          <InvitationBadge state={state} />
        </p>
        <p className="text-small text-muted-foreground">
          {roleNames[role]}, <InvitationHistory invitation={invitation} />
        </p>
        {note && <p className="mt-0.5 line-clamp-2 text-small wrap-anywhere">{note}</p>}
      </div>
      {isWaiting(invitation) && (
        <InvitationActions
          invitation={invitation}
          isOpen={state === 'open'}
          canRevoke
          showNotice={showNotice}
          onResent={onResent}
        />
      )}
    </li>
  )
}

function InvitationHistory({ invitation }: { invitation: Invitation }) {
  const { state, sentAt, expiresAt, acceptedAt, acceptedBy, invitedBy } = invitation
  const by = invitedBy?.name ? ` by ${invitedBy.name}` : ''
  if (state === 'accepted') {
    return (
      <>
        accepted {acceptedBy?.name && `by ${acceptedBy.name} `}on <Time value={acceptedAt ?? sentAt} />
      </>
    )
  }
  return (
    <>
      sent{by} on <Time value={sentAt} />
      {state === 'open' && (
        <>
          , valid until <Time value={expiresAt} />
        </>
      )}
      {state === 'stopped' && '. Its sender can no longer invite. Resend it to make it valid'}
    </>
  )
}
