import { useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import type { RoleChange } from './use-role-change.ts'

/** No tick alone gives somebody all the platform’s rights, or takes them from oneself. */
export const isAskedFirst = ({ role, held, person }: RoleChange, ownId: string): boolean =>
  role === 'super-admin' && (held || person.id === ownId)

interface SuperAdminQuestionProps {
  /** What is asked about; undefined while nothing is. */
  about: RoleChange | undefined
  onClose: () => void
  onConfirm: (change: RoleChange) => unknown
}

export function SuperAdminQuestion({ about, onClose, onConfirm }: SuperAdminQuestionProps) {
  // What it asks stands while it closes.
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
        They will run this platform as you do: grant roles, act on accounts, and take your own role away. What people
        keep stays closed to them.
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      {...dialog}
      title="Remove your own super-admin role?"
      confirmLabel="Remove My Role"
      busyLabel="Removing..."
    >
      You will not be able to grant roles any more. Another super-admin would have to give it back.
    </ConfirmDialog>
  )
}
