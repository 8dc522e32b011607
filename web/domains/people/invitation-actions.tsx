import { useQueryClient } from '@tanstack/react-query'
import { Link2, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { invitations } from '#contract/domains/invitations.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { CopyButton } from '#web/ui/controls/copy-button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'

interface InvitationActionsProps {
  invitation: { id: string; domainId: string; email: string }
  /** Only an open invitation has a link to copy. */
  isOpen: boolean
  onNotice: (notice: { tone: 'success' | 'error'; text: string }) => void
}

export function InvitationActions({ invitation: { id, domainId, email }, isOpen, onNotice }: InvitationActionsProps) {
  const queryClient = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const [busy, setBusy] = useState(false)
  const params = { id: domainId, invitationId: id }
  const getReasonText = (reason: unknown) => getServerMessage(reason) ?? 'The server didn’t respond.'

  async function resend() {
    setBusy(true)
    try {
      const { mailed } = await call(invitations.resend, { params })
      onNotice({
        tone: 'success',
        text: mailed
          ? `New link sent to ${email}. The old one no longer works.`
          : `New link for ${email} created. Copy and send it. The old one no longer works.`,
      })
      await queryClient.invalidateQueries({ queryKey: ['people'] })
    } catch (reason) {
      onNotice({ tone: 'error', text: `The link for ${email} couldn’t be renewed. ${getReasonText(reason)}` })
    } finally {
      setBusy(false)
    }
  }
  async function revoke() {
    await call(invitations.revoke, { params })
    onNotice({ tone: 'success', text: `The invitation for ${email} was revoked.` })
    await queryClient.invalidateQueries({ queryKey: ['people'] })
  }

  return (
    <div className="flex flex-wrap gap-1.5">
      {isOpen && (
        <CopyButton
          text={async () => (await call(invitations.link, { params })).link}
          onCopyFailed={(reason) =>
            onNotice({ tone: 'error', text: `The link couldn’t be copied. ${getReasonText(reason)}` })
          }
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
      {isOpen && (
        <Button
          size="small"
          variant="danger-text"
          onClick={() => setConfirming(true)}
          aria-label={`Revoke for ${email}`}
        >
          Revoke{' '}
        </Button>
      )}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={`Revoke the invitation for ${email}?`}
        confirmLabel="Revoke"
        busyLabel="Revoking..."
        onConfirm={revoke}
        describeError={getReasonText}
      >
        The link stops working. You can invite this person again.
      </ConfirmDialog>
    </div>
  )
}
