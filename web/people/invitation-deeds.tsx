import { useQueryClient } from '@tanstack/react-query'
import { Link2, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { invitations } from '#contract/domains/invitations.ts'
import { ApiError, call } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'

interface InvitationDeedsProps {
  invitation: { id: string; domainId: string; email: string }
  /** Also a link that can be copied; of one that is over only a new one can be made. */
  isOpen: boolean
  onTold: (told: { tone: 'success' | 'error'; text: string }) => void
}

/** Copy the link, make a new one, take the invitation back. */
export function InvitationDeeds({ invitation: { id, domainId, email }, isOpen, onTold }: InvitationDeedsProps) {
  const queries = useQueryClient()
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const [revokeError, setRevokeError] = useState<string>()
  const params = { id: domainId, invitationId: id }
  const why = (reason: unknown) =>
    reason instanceof ApiError && reason.told ? reason.told : 'The server did not answer.'

  async function resend() {
    setBusy(true)
    try {
      const { mailed } = await call(invitations.resend, { params })
      onTold({
        tone: 'success',
        text: mailed
          ? `A new link went to ${email}. The one before works no more.`
          : `A new link for ${email} is made. Copy it; the one before works no more.`,
      })
      await queries.invalidateQueries({ queryKey: ['people'] })
    } catch (reason) {
      onTold({ tone: 'error', text: `No new link for ${email} was made. ${why(reason)}` })
    } finally {
      setBusy(false)
    }
  }
  async function revoke() {
    setRevokeError(undefined)
    try {
      await call(invitations.revoke, { params })
    } catch (reason) {
      setRevokeError(why(reason))
      throw reason
    }
    onTold({ tone: 'success', text: `The invitation of ${email} is taken back.` })
    await queries.invalidateQueries({ queryKey: ['people'] })
  }

  return (
    <div className="flex flex-wrap gap-1.5">
      {isOpen && (
        <CopyButton
          text={async () => (await call(invitations.link, { params })).link}
          onCopyFailed={(reason) => onTold({ tone: 'error', text: `The link could not be copied. ${why(reason)}` })}
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
        <Button size="small" variant="danger-text" onClick={() => setAsks(true)} aria-label={`Take back ${email}`}>
          Take back
        </Button>
      )}
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={`Take back the invitation of ${email}?`}
        confirmLabel="Take back"
        busyLabel="Taking back..."
        onConfirm={revoke}
        error={revokeError}
      >
        The link works no more. You can invite them anew at any time.
      </ConfirmDialog>
    </div>
  )
}
