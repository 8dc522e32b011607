import type { ReactNode } from 'react'
import { getServerMessage } from '#web/api/api.ts'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'

interface DeleteEntryDialogProps {
  name: string
  confirmLabel: string
  /** Rejects with the use that blocks it. */
  onDelete: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

export function DeleteEntryDialog({ name, confirmLabel, onDelete, onClose, children }: DeleteEntryDialogProps) {
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={withNames`Delete ${name}?`}
      confirmLabel={confirmLabel}
      busyLabel="Deleting..."
      onConfirm={onDelete}
      formatError={(reason) => getServerMessage(reason) ?? `Failed to delete ${name}`}
    >
      {children}
    </ConfirmDialog>
  )
}
