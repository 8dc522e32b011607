import { Link2, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { type Invitation, type InvitationWithLink, invitations } from '#contract/domains/invitations.ts'
import { call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import type { ShowNotice } from '#web/ui/hooks/use-notice.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Badge, type BadgeTone } from '#web/ui/panels/badge.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { useInvalidateDomains } from '../domain-queries.ts'
import { getPeopleErrorDetail } from './people-board-data.ts'

export const invitationStateLabels: Record<Invitation['state'], string> = {
  open: 'Open',
  accepted: 'Accepted',
  expired: 'Expired',
  revoked: 'Revoked',
  stopped: 'Stopped',
}
const stateTones: Record<Invitation['state'], BadgeTone> = {
  open: 'info',
  accepted: 'success',
  expired: 'warning',
  revoked: 'neutral',
  stopped: 'warning',
}

export function InvitationBadge({ state }: Pick<Invitation, 'state'>) {
  return <Badge tone={stateTones[state]}>{invitationStateLabels[state]}</Badge>
}

interface InvitationActionsProps {
  invitation: Pick<Invitation, 'id' | 'domainId' | 'email'>
  /** Only an open invitation has a link to copy. */
  isOpen: boolean
  canRevoke?: boolean
  showNotice: ShowNotice
  /** Replaces the notice about the new link, and an earlier failure's. */
  onResent?: (invitation: InvitationWithLink) => void
}

export function InvitationActions({
  invitation,
  isOpen,
  canRevoke = isOpen,
  showNotice,
  onResent,
}: InvitationActionsProps) {
  const { id, domainId, email } = invitation
  const invalidateDomains = useInvalidateDomains()
  const [isConfirming, setConfirming] = useState(false)
  const [busy, setBusy] = useState(false)
  const params = { id: domainId, invitationId: id }

  async function resend() {
    setBusy(true)
    try {
      const resent = await call(invitations.resend, { params })
      if (onResent) onResent(resent)
      else
        showNotice(
          'success',
          resent.mailed
            ? `New link sent to ${email}. The old one no longer works.`
            : `New link for ${email} created. Copy and send it. The old one no longer works.`,
        )
    } catch (reason) {
      showNotice('error', `The link for ${email} couldn’t be renewed. ${getPeopleErrorDetail(reason)}`)
    } finally {
      setBusy(false)
    }
    await invalidateDomains()
  }
  async function revoke() {
    try {
      await call(invitations.revoke, { params })
      showNotice('success', `The invitation for ${email} was revoked.`)
    } catch (reason) {
      // The refetch may remove this row, and its dialog with it.
      showNotice('error', `The invitation for ${email} couldn’t be revoked. ${getPeopleErrorDetail(reason)}`)
    }
    await invalidateDomains()
  }

  return (
    <div className="flex flex-wrap gap-1.5">
      {isOpen && (
        <CopyButton
          text={async () => (await call(invitations.link, { params })).link}
          onCopyFailed={(reason) => showNotice('error', `The link couldn’t be copied. ${getPeopleErrorDetail(reason)}`)}
          aria-label={`Copy link for ${email}`}
          icon={<Link2 aria-hidden size={13} />}
        >
          Copy link
        </CopyButton>
      )}
      <Button
        size="small"
        busy={busy}
        onClick={resend}
        aria-label={`Resend to ${email}`}
        icon={<RotateCw aria-hidden size={13} />}
      >
        Resend
      </Button>
      {canRevoke && (
        <Button
          size="small"
          variant="danger-text"
          disabled={busy}
          onClick={() => setConfirming(true)}
          aria-label={`Revoke for ${email}`}
        >
          Revoke
        </Button>
      )}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={withNames`Revoke the invitation for ${email}?`}
        confirmLabel="Revoke"
        busyLabel="Revoking..."
        onConfirm={revoke}
      >
        The link stops working. You can invite this person again.
      </ConfirmDialog>
    </div>
  )
}
