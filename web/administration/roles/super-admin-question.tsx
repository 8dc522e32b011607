import { useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import type { RoleChange } from './use-role-change.ts'

/** Granting super-admin, or removing your own, needs a confirmation. */
export const isAskedFirst = ({ role, held, person }: RoleChange, ownId: string): boolean =>
  role === 'super-admin' && (held || person.id === ownId)

interface SuperAdminQuestionProps {
  about: RoleChange | undefined
  onClose: () => void
  onConfirm: (change: RoleChange) => unknown
}

export function SuperAdminQuestion({ about, onClose, onConfirm }: SuperAdminQuestionProps) {
  // Keeps the text while the dialog closes.
  const [last, setLast] = useState(about)
  if (about && about !== last) setLast(about)
  const shown = about ?? last
  const dialog = {
    open: about !== undefined,
    onOpenChange: (next: boolean) => !next && onClose(),
    onConfirm: () => about && onConfirm(about),
  }
  if (shown?.held)
    return (
      <ConfirmDialog
        {...dialog}
        title={`Make ${shown.person.name ?? shown.person.email} a super-admin?`}
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
