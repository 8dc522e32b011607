import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import {
  administration,
  type PlatformUserDetails,
  type UserWithRoles,
} from '#contract/administration/administration.ts'
import { call } from '#web/api/api.ts'
import { RetryButton } from '#web/ui/controls/button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { auditKey, type RoleUserPage, roleUsersKey, toAdminFailureText, userKey, usersKey } from '../admin-queries.ts'

export interface RoleChange {
  person: Pick<UserWithRoles, 'id' | 'name' | 'email'>
  role: PlatformRole
  hasRole: boolean
}

interface FailedChange extends RoleChange {
  text: string
}

/** Shows the change in every loaded list and in the details of the person. */
export function updateCachedRole(queryClient: QueryClient, { person, role, hasRole }: RoleChange): void {
  const applyTo = (roles: readonly PlatformRole[]) => {
    const otherRoles = roles.filter((otherRole) => otherRole !== role)
    return hasRole ? [...otherRoles, role] : otherRoles
  }
  const applyToUser = (user: UserWithRoles) => (user.id === person.id ? { ...user, roles: applyTo(user.roles) } : user)
  queryClient.setQueriesData<InfiniteData<RoleUserPage>>(
    { queryKey: roleUsersKey },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, users: page.users.map(applyToUser) })) },
  )
  queryClient.setQueryData<PlatformUserDetails>(
    userKey(person.id),
    (user) => user && { ...user, platformRoles: applyTo(user.platformRoles) },
  )
}

/** Saves a change optimistically, after a question about super-admins, and reverts only that one if it is refused. */
export function useRoleChange(currentUserId: string, bannerClassName: string) {
  const queryClient = useQueryClient()
  const [savingCells, setSavingCells] = useState<ReadonlySet<string>>(new Set())
  const [failedChange, setFailedChange] = useState<FailedChange>()
  const [pendingChange, setPendingChange] = useState<RoleChange>()
  const getCellKey = ({ id }: { id: string }, role: PlatformRole) => `${id} ${role}`

  async function change(roleChange: RoleChange): Promise<void> {
    const { person, role, hasRole } = roleChange
    const cellKey = getCellKey(person, role)
    if (savingCells.has(cellKey)) return
    setFailedChange(undefined)
    setSavingCells((previous) => new Set(previous).add(cellKey))
    updateCachedRole(queryClient, roleChange)
    // A list request in flight would overwrite the change, and canceling it restores the previous list.
    await queryClient.cancelQueries({ queryKey: roleUsersKey })
    updateCachedRole(queryClient, roleChange)
    try {
      const endpoint = hasRole ? administration.assignRole : administration.removeRole
      const { roles } = await call(endpoint, { body: { userId: person.id, roleName: role } })
      updateCachedRole(queryClient, { ...roleChange, hasRole: roles.includes(role) })
      await queryClient.invalidateQueries({ queryKey: usersKey })
    } catch (reason) {
      updateCachedRole(queryClient, { ...roleChange, hasRole: !hasRole })
      setFailedChange({ ...roleChange, text: toAdminFailureText(reason, 'Failed to update role assignment') })
    } finally {
      setSavingCells((previous) => new Set([...previous].filter((key) => key !== cellKey)))
    }
    await queryClient.invalidateQueries({ queryKey: auditKey })
  }

  function requestChange(roleChange: RoleChange) {
    const { person, role, hasRole } = roleChange
    if (role === 'super-admin' && (hasRole || person.id === currentUserId)) setPendingChange(roleChange)
    else void change(roleChange)
  }

  const failureBanner: ReactNode = failedChange && (
    <Banner
      tone="error"
      className={bannerClassName}
      onDismiss={() => setFailedChange(undefined)}
      action={<RetryButton onClick={() => requestChange(failedChange)} />}
    >
      {/[.!?]$/.test(failedChange.text) ? failedChange.text : `${failedChange.text}.`}{' '}
      {getPersonName(failedChange.person)} {failedChange.hasRole ? 'doesn’t have' : 'still has'}{' '}
      <b>{failedChange.role}</b>.
    </Banner>
  )
  const dialog = (
    <SuperAdminDialog pendingChange={pendingChange} onClose={() => setPendingChange(undefined)} onConfirm={change} />
  )
  return {
    requestChange,
    isSaving: (person: { id: string }, role: PlatformRole) => savingCells.has(getCellKey(person, role)),
    failureBanner,
    dialog,
  }
}

interface SuperAdminDialogProps {
  pendingChange: RoleChange | undefined
  onClose: () => void
  onConfirm: (change: RoleChange) => unknown
}

function SuperAdminDialog({ pendingChange, onClose, onConfirm }: SuperAdminDialogProps) {
  // Keeps the text while the dialog closes.
  const [lastChange, setLastChange] = useState(pendingChange)
  if (pendingChange && pendingChange !== lastChange) setLastChange(pendingChange)
  const visibleChange = pendingChange ?? lastChange
  const dialogProps = {
    open: pendingChange !== undefined,
    onOpenChange: (next: boolean) => !next && onClose(),
    onConfirm: () => pendingChange && onConfirm(pendingChange),
  }
  if (visibleChange?.hasRole)
    return (
      <ConfirmDialog
        {...dialogProps}
        title={withNames`Make ${visibleChange.person.name ?? visibleChange.person.email} a super-admin?`}
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
      {...dialogProps}
      title="Remove your own super-admin role?"
      confirmLabel="Remove My Role"
      busyLabel="Removing..."
    >
      You’ll no longer be able to grant roles. Only another super-admin can give yours back.
    </ConfirmDialog>
  )
}
