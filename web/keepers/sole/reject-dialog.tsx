import { type FormEvent, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Banner } from '#web/ui/banner.tsx'
import { focusFirstField } from '#web/ui/focus-first-field.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

export interface RejectDialogProps {
  target: { keeperId: string; version: number }
  open: boolean
  onOpenChange: (open: boolean) => void
  onReject: (reason: string) => Promise<unknown>
}

export function RejectDialog({ target, open, onOpenChange, onReject }: RejectDialogProps) {
  const draft = useDraft(`sole/${target.keeperId}/${target.version}/reason`, '')
  const reason = draft.value
  const [busy, setBusy] = useState(false)
  const [isReasonMissing, setReasonMissing] = useState(false)
  const [failure, setFailure] = useState<string>()

  function close() {
    setReasonMissing(false)
    setFailure(undefined)
    onOpenChange(false)
  }

  async function reject(event: FormEvent) {
    event.preventDefault()
    setFailure(undefined)
    if (reason.trim() === '') return setReasonMissing(true)
    setBusy(true)
    try {
      await onReject(reason.trim())
      draft.clear()
      onOpenChange(false)
    } catch (error) {
      setFailure((error instanceof ApiError && error.serverMessage) || 'Failed to reject SOLE draft')
    } finally {
      setBusy(false)
    }
  }

  return (
    <FormDialog
      open={open}
      onClose={close}
      onOpenAutoFocus={focusFirstField}
      title="Reject this draft?"
      description="The draft won’t become memory. It stays in the history with your reason."
      form={{ onSubmit: reject }}
      submitLabel="Reject draft"
      busyLabel="Rejecting..."
      tone="danger"
      busy={busy}
      locksWhileBusy
    >
      <ReadOnlyWhile while={busy}>
        <TextArea
          label="Reason"
          required
          help="The next agent to write a draft reads your reason."
          error={isReasonMissing && 'Enter a reason. The next agent to write a draft reads it.'}
          value={reason}
          maxLength={2000}
          onChange={(event) => {
            setReasonMissing(false)
            draft.set(event.currentTarget.value)
          }}
        />
      </ReadOnlyWhile>
      {failure && (
        <Banner tone="error" className="mt-3">
          {failure}
        </Banner>
      )}
    </FormDialog>
  )
}
