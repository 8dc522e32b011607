import { type FormEvent, useId, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { focusFirstField } from '#web/ui/focus-first-field.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
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
  const [missing, setMissing] = useState(false)
  const [failure, setFailure] = useState<string>()
  const formId = useId()

  function openOrClose(next: boolean) {
    if (busy) return
    setMissing(false)
    setFailure(undefined)
    onOpenChange(next)
  }

  async function reject(event: FormEvent) {
    event.preventDefault()
    setFailure(undefined)
    if (reason.trim() === '') return setMissing(true)
    setBusy(true)
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
      onOpenChange={openOrClose}
      onOpenAutoFocus={focusFirstField}
      title="Reject this draft?"
      description="Nothing of it becomes memory. It stays in the history with your reason."
      footer={
        <>
          <Button disabled={busy} onClick={() => openOrClose(false)}>
            Cancel
          </Button>
          <Button variant="danger" type="submit" form={formId} busy={busy} busyLabel="Rejecting...">
            Reject draft
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={reject} noValidate>
        <ReadOnlyWhile while={busy}>
          <TextArea
            label="Reason"
            required
            help="The agent that drafts next is given it."
            error={missing && 'Enter a reason: the agent that drafts next is given it.'}
            value={reason}
            maxLength={2000}
            onChange={(event) => {
              setMissing(false)
              draft.set(event.currentTarget.value)
            }}
          />
        </ReadOnlyWhile>
      </form>
      {failure && (
        <Banner tone="error" className="mt-3">
          {failure}
        </Banner>
      )}
    </Dialog>
  )
}
