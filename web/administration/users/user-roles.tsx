import { platformRoles } from '#contract/accounts/accounts.ts'
import type { PlatformUserDetails } from '#contract/administration/administration.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { useRoleChange } from '../roles/role-change.tsx'
import { DrawerSection } from './user-summary.tsx'

interface UserRolesProps {
  user: PlatformUserDetails
  currentUserId: string
  canGrant: boolean
}

export function UserRoles({ user, currentUserId, canGrant }: UserRolesProps) {
  const { requestChange, isSaving, failureBanner, dialog } = useRoleChange(currentUserId, 'mb-3')
  return (
    <DrawerSection title="Platform roles">
      {failureBanner}
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
                  onCheckedChange={(hasRole) => requestChange({ person: user, role, hasRole })}
                />
              </li>
            )
          })}
        </ul>
      ) : (
        <p className="flex flex-wrap gap-1.5 text-ui text-muted-foreground">
          {user.platformRoles.length === 0 && 'No platform roles.'}
          {user.platformRoles.map((role) => (
            <Badge key={role}>{role}</Badge>
          ))}
        </p>
      )}
      {dialog}
    </DrawerSection>
  )
}
