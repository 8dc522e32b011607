import { getServerMessage } from '#web/api/api.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'

export interface RejectDialogProps {
  target: { keeperId: string; version: number }
  onClose: () => void
  onReject: (reason: string) => Promise<unknown>
}

export function RejectDialog({ target, onClose, onReject }: RejectDialogProps) {
  const form = useSubmitForm({
    draftKey: `sole/${target.keeperId}/${target.version}/reason`,
    blank: { reason: '' },
    validate: ({ reason }) => ({
      ...(reason.trim() === '' && { reason: 'Enter a reason. The next agent to write a draft reads it.' }),
    }),
    submit: ({ reason }) => onReject(reason.trim()),
    onSaved: onClose,
  })
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      title="Reject this draft?"
      description="The draft won’t become memory. It stays in the history with your reason."
      saveLabel="Reject draft"
      busyLabel="Rejecting..."
      failureTitle={getServerMessage(form.failure) ?? 'Failed to reject SOLE draft'}
      tone="danger"
      locksWhileBusy
    >
      <TextArea
        label="Reason"
        required
        help="The next agent to write a draft reads your reason."
        maxLength={2000}
        {...form.field('reason')}
      />
    </EntityFormDialog>
  )
}
