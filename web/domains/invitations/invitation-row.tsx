import { RotateCw, Undo2 } from 'lucide-react'
import { type Invitation, invitations } from '#contract/domains/invitations.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { roleNames } from '#web/ui/text/domain-role-texts.ts'
import { Time } from '#web/ui/text/time.tsx'

const states: Record<Invitation['state'], { label: string; tone: BadgeTone }> = {
  open: { label: 'Open', tone: 'info' },
  expired: { label: 'Expired', tone: 'warning' },
  stopped: { label: 'Stopped', tone: 'warning' },
  accepted: { label: 'Accepted', tone: 'success' },
  revoked: { label: 'Revoked', tone: 'neutral' },
}

/** Whether it can still be accepted, now or after resending. */
export function isWaiting({ state }: Invitation): boolean {
  return state === 'open' || state === 'expired' || state === 'stopped'
}

interface InvitationRowProps {
  invitation: Invitation
  busy: boolean
  onResend: () => void
  onRevoke: () => void
  onProblem: (problem: string) => void
}

export function InvitationRow({ invitation, busy, onResend, onRevoke, onProblem }: InvitationRowProps) {
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
              onCopyFailed={(reason) => onProblem(reason instanceof Error ? reason.message : String(reason))}
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
