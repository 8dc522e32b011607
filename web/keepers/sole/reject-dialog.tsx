import { useState } from 'react'
import { ApiError } from '#web/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

export interface RejectDialogProps {
  /** The version that is rejected. */
  of: { keeperId: string; version: number }
  open: boolean
  onOpenChange: (open: boolean) => void
  onReject: (reason: string) => Promise<unknown>
}

export function RejectDialog({ of, open, onOpenChange, onReject }: RejectDialogProps) {
  const draft = useDraft(`sole/${of.keeperId}/${of.version}/reason`, '')
  const reason = draft.value
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function reject() {
    setBusy(true)
    setFailure(undefined)
    try {
      await onReject(reason.trim())
      draft.clear()
      onOpenChange(false)
    } catch (error) {
      setFailure((error instanceof ApiError && error.told) || 'Failed to reject SOLE draft')
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !busy && onOpenChange(next)}
      title="Reject this draft?"
      description="Nothing of it becomes memory. It stays in the history with your reason."
      footer={
        <>
          <Button disabled={busy} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button variant="danger" busy={busy} busyLabel="Rejecting..." onClick={reject}>
            Reject draft
          </Button>
        </>
      }
    >
      <TextArea
        label="Reason"
        help="The agent that drafts next is given it. You may leave it empty."
        value={reason}
        maxLength={2000}
        onChange={(event) => draft.set(event.currentTarget.value)}
      />
      {failure && (
        <Banner tone="error" className="mt-3">
          {failure}
        </Banner>
      )}
    </Dialog>
  )
}
