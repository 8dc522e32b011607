import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

interface ResignDialogProps {
  open: boolean
  onClose: () => void
  onConfirm: () => void
}

/** Before somebody takes the role of super-admin from themselves. */
export function ResignDialog({ open, onClose, onConfirm }: ResignDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Remove your own super-admin role?"
      confirmLabel="Remove My Role"
      busyLabel="Removing..."
      onConfirm={onConfirm}
    >
      You will not be able to grant roles any more. Another super-admin would have to give it back.
    </ConfirmDialog>
  )
}
