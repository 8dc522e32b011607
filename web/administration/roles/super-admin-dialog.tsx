import { useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import type { RoleChange } from './use-role-change.ts'

export const needsConfirmation = ({ role, held, person }: RoleChange, currentUserId: string): boolean =>
  role === 'super-admin' && (held || person.id === currentUserId)

interface SuperAdminDialogProps {
  pendingChange: RoleChange | undefined
  onClose: () => void
  onConfirm: (change: RoleChange) => unknown
}

export function SuperAdminDialog({ pendingChange, onClose, onConfirm }: SuperAdminDialogProps) {
  // Keeps the text while the dialog closes.
  const [last, setLast] = useState(pendingChange)
  if (pendingChange && pendingChange !== last) setLast(pendingChange)
  const visibleChange = pendingChange ?? last
  const dialog = {
    open: pendingChange !== undefined,
    onOpenChange: (next: boolean) => !next && onClose(),
    onConfirm: () => pendingChange && onConfirm(pendingChange),
  }
  if (visibleChange?.held)
    return (
      <ConfirmDialog
        {...dialog}
        title={`Make ${visibleChange.person.name ?? visibleChange.person.email} a super-admin?`}
        confirmLabel="Grant Role"
        busyLabel="Granting..."
        tone="primary"
      >
        They’ll run this platform as you do: grant roles, manage accounts and remove your own role. They can’t read what
        people keep.
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      {...dialog}
      title="Remove your own super-admin role?"
      confirmLabel="Remove My Role"
      busyLabel="Removing..."
    >
      You’ll no longer be able to grant roles. Only another super-admin can give yours back.
    </ConfirmDialog>
  )
}
