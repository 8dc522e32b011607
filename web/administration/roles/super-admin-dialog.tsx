import { useState } from 'react'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import type { RoleChange } from './use-role-change.ts'

export const needsConfirmation = ({ role, hasRole, person }: RoleChange, currentUserId: string): boolean =>
  role === 'super-admin' && (hasRole || person.id === currentUserId)

interface SuperAdminDialogProps {
  pendingChange: RoleChange | undefined
  onClose: () => void
  onConfirm: (change: RoleChange) => unknown
}

export function SuperAdminDialog({ pendingChange, onClose, onConfirm }: SuperAdminDialogProps) {
  // Keeps the text while the dialog closes.
  const [lastChange, setLastChange] = useState(pendingChange)
  if (pendingChange && pendingChange !== lastChange) setLastChange(pendingChange)
  const visibleChange = pendingChange ?? lastChange
  const dialog = {
    open: pendingChange !== undefined,
    onOpenChange: (next: boolean) => !next && onClose(),
    onConfirm: () => pendingChange && onConfirm(pendingChange),
  }
  if (visibleChange?.hasRole)
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
