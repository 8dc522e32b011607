import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { platformRoles } from '#contract/accounts/accounts.ts'
import type { PlatformUserDetails } from '#contract/administration/administration.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { auditKey, userKey } from '../admin-queries.ts'
import {
  FailedChangeBanner,
  needsConfirmation,
  type RoleChange,
  SuperAdminDialog,
  useRoleChange,
} from '../roles/role-change.tsx'
import { DrawerSection } from './user-summary.tsx'

interface UserRolesProps {
  user: PlatformUserDetails
  currentUserId: string
  canGrant: boolean
}

export function UserRoles({ user, currentUserId, canGrant }: UserRolesProps) {
  const queryClient = useQueryClient()
  const { change, failed, dismiss, isSaving } = useRoleChange()
  const [pendingChange, setPendingChange] = useState<RoleChange>()

  async function save(roleChange: RoleChange) {
    showRole(queryClient, roleChange)
    const saved = await change(roleChange)
    // Revert only this change: another one may have been saved since.
    if (!saved) showRole(queryClient, { ...roleChange, hasRole: !roleChange.hasRole })
    await queryClient.invalidateQueries({ queryKey: auditKey })
  }
  function requestChange(roleChange: RoleChange) {
    if (needsConfirmation(roleChange, currentUserId)) setPendingChange(roleChange)
    else void save(roleChange)
  }

  return (
    <DrawerSection title="Platform roles">
      {failed && (
        <FailedChangeBanner
          failed={failed}
          onRetry={() => requestChange(failed)}
          onDismiss={dismiss}
          className="mb-3"
        />
      )}
      {canGrant ? (
        <ul className="grid grid-cols-2 gap-y-1">
          {platformRoles.map((role) => {
            const isLocked = role === 'super-admin' && user.lastSuperAdmin && user.platformRoles.includes(role)
            return (
              <li key={role} className="flex">
                <Checkbox
                  label={role}
                  aria-disabled={isLocked || undefined}
                  help={isLocked && 'This is the last super-admin. Grant the role to someone else first.'}
                  checked={user.platformRoles.includes(role)}
                  aria-busy={isSaving(user, role) || undefined}
                  onCheckedChange={(held) => requestChange({ person: user, role, hasRole: held })}
                />
              </li>
            )
          })}
        </ul>
      ) : user.platformRoles.length === 0 ? (
        <p className="text-ui text-muted-foreground">No platform roles.</p>
      ) : (
        <p className="flex flex-wrap gap-1.5">
          {user.platformRoles.map((role) => (
            <Badge key={role}>{role}</Badge>
          ))}
        </p>
      )}
      <SuperAdminDialog pendingChange={pendingChange} onClose={() => setPendingChange(undefined)} onConfirm={save} />
    </DrawerSection>
  )
}

export function showRole(queryClient: QueryClient, { person, role, hasRole }: RoleChange): void {
  queryClient.setQueryData<PlatformUserDetails>(userKey(person.id), (user) => {
    if (!user) return user
    const otherRoles = user.platformRoles.filter((other) => other !== role)
    return { ...user, platformRoles: hasRole ? [...otherRoles, role] : otherRoles }
  })
}
