import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw, Undo2, UserPlus } from 'lucide-react'
import { useId, useState } from 'react'
import type { Domain } from '#contract/domains/domains.ts'
import { type Invitation, invitations } from '#contract/domains/invitations.ts'
import { call } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { roleNames } from '#web/ui/text/domain-role-texts.ts'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { Time } from '#web/ui/text/time.tsx'
import { InvitedLinks, InvitePeopleDialog } from './invite-people-dialog.tsx'

const initialCount = 20

export function InvitationPanel({ domain }: { domain: Pick<Domain, 'id' | 'name'> }) {
  const headingId = useId()
  const queryClient = useQueryClient()
  const [isInviting, setIsInviting] = useState(false)
  const [scope, setScope] = useState<'waiting' | 'all'>('waiting')
  const [visibleCount, setVisibleCount] = useState(initialCount)
  const [problem, setProblem] = useState<string>()
  const [revoking, setRevoking] = useState<Invitation>()
  const params = (invitation: Invitation) => ({ id: domain.id, invitationId: invitation.id })

  const list = useQuery({
    queryKey: ['domains', domain.id, 'invitations'],
    queryFn: ({ signal }) => readAllPages<Invitation>(invitations.list, { id: domain.id }, signal),
  })
  const invalidateInvitations = () =>
    Promise.all([['domains'], ['people']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  const resend = useMutation({
    mutationFn: (invitation: Invitation) => call(invitations.resend, { params: params(invitation) }),
    onMutate: () => setProblem(undefined),
    onSuccess: invalidateInvitations,
    onError: (reason) => {
      setProblem(reason.message)
      return invalidateInvitations()
    },
  })
  const revoke = useMutation({
    mutationFn: (invitation: Invitation) => call(invitations.revoke, { params: params(invitation) }),
    onSettled: invalidateInvitations,
  })

  const allInvitations = list.data ?? []
  const waitingInvitations = allInvitations.filter(isWaiting)
  const visibleInvitations = scope === 'waiting' ? waitingInvitations : allInvitations
  const resent = resend.data && isStillOpen(resend.data, allInvitations) ? resend.data : undefined
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <h4 id={headingId} className="flex-1 font-serif text-[18px] leading-[24px] font-medium">
          Invitations
        </h4>
        <Button size="small" icon={<UserPlus aria-hidden size={14} />} onClick={() => setIsInviting(true)}>
          Invite people
        </Button>
      </div>
      {problem && (
        <Banner tone="error" onDismiss={() => setProblem(undefined)}>
          {problem}
        </Banner>
      )}
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
          {visibleInvitations.slice(0, visibleCount).map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              busy={resend.isPending && resend.variables.id === invitation.id}
              onResend={() => resend.mutate(invitation)}
              onRevoke={() => {
                revoke.reset()
                setRevoking(invitation)
              }}
              onProblem={setProblem}
            />
          ))}
        </ul>
      )}
      {visibleInvitations.length > visibleCount && (
        <Button size="small" variant="plain" className="self-start" onClick={() => setVisibleCount(visibleCount + 100)}>
          Show {Math.min(100, visibleInvitations.length - visibleCount)} more
        </Button>
      )}
      <InvitePeopleDialog domain={domain} open={isInviting} onOpenChange={setIsInviting} />
      <ConfirmDialog
        open={revoking !== undefined}
        onOpenChange={(open) => !open && setRevoking(undefined)}
        title={`Revoke the invitation for ${revoking?.email ?? ''}?`}
        confirmLabel="Revoke"
        busyLabel="Revoking..."
        onConfirm={() => revoking && revoke.mutateAsync(revoking)}
      >
        The link stops working. You can invite this person again.
      </ConfirmDialog>
    </section>
  )
}

/** Whether a newly created link still works, according to the (possibly older) list of invitations. */
export function isStillOpen({ id, sentAt }: Pick<Invitation, 'id' | 'sentAt'>, list: readonly Invitation[]): boolean {
  const now = list.find((invitation) => invitation.id === id)
  return !now || now.sentAt < sentAt || (now.sentAt === sentAt && now.state === 'open')
}

const states: Record<Invitation['state'], { label: string; tone: BadgeTone }> = {
  open: { label: 'Open', tone: 'info' },
  expired: { label: 'Expired', tone: 'warning' },
  stopped: { label: 'Stopped', tone: 'warning' },
  accepted: { label: 'Accepted', tone: 'success' },
  revoked: { label: 'Revoked', tone: 'neutral' },
}

/** Whether it can still be accepted, now or after resending. */
function isWaiting({ state }: Invitation): boolean {
  return state === 'open' || state === 'expired' || state === 'stopped'
}

interface InvitationRowProps {
  invitation: Invitation
  busy: boolean
  onResend: () => void
  onRevoke: () => void
  onProblem: (problem: string) => void
}

function InvitationRow({ invitation, busy, onResend, onRevoke, onProblem }: InvitationRowProps) {
  const { id, domainId, email, role, state, note } = invitation
  const { label, tone } = states[state]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-hairline py-2.5 last:border-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 font-medium wrap-anywhere">{email}</span>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="text-small text-muted-foreground">
          {roleNames[role]}, <InvitationHistory invitation={invitation} />
        </p>
        {note && <p className="mt-0.5 line-clamp-2 whitespace-pre-line text-small wrap-anywhere">{note}</p>}
      </div>
      {isWaiting(invitation) && (
        <div className="flex flex-wrap gap-1.5">
          {state === 'open' && (
            <CopyButton
              text={async () => (await call(invitations.link, { params: { id: domainId, invitationId: id } })).link}
              onCopyFailed={(reason) => onProblem(getErrorMessage(reason))}
              aria-label={`Copy link for ${email}`}
            >
              Copy link
            </CopyButton>
          )}
          <Button
            size="small"
            busy={busy}
            onClick={onResend}
            icon={<RotateCw aria-hidden size={13} />}
            aria-label={`Resend to ${email}`}
          >
            Resend
          </Button>
          <Button
            size="small"
            variant="plain"
            disabled={busy}
            onClick={onRevoke}
            icon={<Undo2 aria-hidden size={13} />}
            aria-label={`Revoke for ${email}`}
          >
            Revoke
          </Button>
        </div>
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
