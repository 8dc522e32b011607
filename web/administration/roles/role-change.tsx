import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { administration, type UserWithRoles } from '#contract/administration/administration.ts'
import { call } from '#web/api/api.ts'
import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { type RoleUserPage, roleUsersKey, toAdminFailureText, usersKey } from '../admin-queries.ts'

export interface RoleChange {
  person: Pick<UserWithRoles, 'id' | 'name' | 'email'>
  role: PlatformRole
  hasRole: boolean
}
export interface FailedChange extends RoleChange {
  text: string
}

const getCellKey = ({ person, role }: Pick<RoleChange, 'person' | 'role'>) => `${person.id} ${role}`

/** Saves one change optimistically and reverts only that one when the server refuses. */
export function useRoleChange() {
  const queryClient = useQueryClient()
  const [saving, setSaving] = useState<ReadonlySet<string>>(new Set())
  const [failed, setFailed] = useState<FailedChange>()

  function showChange({ person, role, hasRole }: RoleChange) {
    const applyToUser = (user: UserWithRoles) => {
      if (user.id !== person.id) return user
      const otherRoles = user.roles.filter((otherRole) => otherRole !== role)
      return { ...user, roles: hasRole ? [...otherRoles, role] : otherRoles }
    }
    queryClient.setQueriesData<InfiniteData<RoleUserPage>>(
      { queryKey: roleUsersKey },
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, users: page.users.map(applyToUser) })) },
    )
  }

  async function change(roleChange: RoleChange): Promise<boolean> {
    const cell = getCellKey(roleChange)
    if (saving.has(cell)) return false
    setFailed(undefined)
    setSaving((previous) => new Set(previous).add(cell))
    // A list request in flight would overwrite the optimistic change.
    await queryClient.cancelQueries({ queryKey: roleUsersKey })
    showChange(roleChange)
    try {
      const { person, role, hasRole } = roleChange
      const endpoint = hasRole ? administration.assignRole : administration.removeRole
      const answer = await call(endpoint, { body: { userId: person.id, roleName: role } })
      showChange({ ...roleChange, hasRole: answer.roles.includes(role) })
      await queryClient.invalidateQueries({ queryKey: usersKey })
      return true
    } catch (reason) {
      showChange({ ...roleChange, hasRole: !roleChange.hasRole })
      setFailed({ ...roleChange, text: toAdminFailureText(reason, 'Failed to update role assignment') })
      return false
    } finally {
      setSaving((previous) => new Set([...previous].filter((key) => key !== cell)))
    }
  }

  return {
    change,
    failed,
    dismiss: () => setFailed(undefined),
    isSaving: (person: { id: string }, role: PlatformRole) => saving.has(`${person.id} ${role}`),
  }
}

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

interface FailedChangeBannerProps {
  failed: FailedChange
  onRetry: () => void
  onDismiss: () => void
  className?: string
}

export function FailedChangeBanner({ failed, onRetry, onDismiss, className }: FailedChangeBannerProps) {
  return (
    <Banner tone="error" className={className} onDismiss={onDismiss} action={<RetryButton onClick={onRetry} />}>
      {/[.!?]$/.test(failed.text) ? failed.text : `${failed.text}.`} {getPersonName(failed.person)}{' '}
      {failed.hasRole ? 'doesn’t have' : 'still has'} <b>{failed.role}</b>.
    </Banner>
  )
}
