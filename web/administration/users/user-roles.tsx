import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { platformRoles } from '#contract/accounts/accounts.ts'
import type { PlatformUserDetails } from '#contract/administration/administration.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { auditKey } from '../admin-queries.ts'
import { FailedChangeBanner } from '../roles/failed-change-banner.tsx'
import { isAskedFirst, SuperAdminQuestion } from '../roles/super-admin-question.tsx'
import { type RoleChange, useRoleChange } from '../roles/use-role-change.ts'
import { DrawerSection } from './drawer-section.tsx'
import { showRole } from './show-role.ts'

interface UserRolesProps {
  user: PlatformUserDetails
  ownId: string
  mayGrant: boolean
}

export function UserRoles({ user, ownId, mayGrant }: UserRolesProps) {
  const queries = useQueryClient()
  const { change, failed, dismiss, isSaving } = useRoleChange()
  const [asked, setAsked] = useState<RoleChange>()

  async function save(wanted: RoleChange) {
    showRole(queries, wanted)
    const saved = await change(wanted)
    // Revert only this tick: another one may have been saved since.
    if (!saved) showRole(queries, { ...wanted, held: !wanted.held })
    await queries.invalidateQueries({ queryKey: auditKey })
  }
  function ask(wanted: RoleChange) {
    if (isAskedFirst(wanted, ownId)) setAsked(wanted)
    else void save(wanted)
  }

  return (
    <DrawerSection title="Platform roles">
      {failed && (
        <FailedChangeBanner failed={failed} onRetry={() => ask(failed)} onDismiss={dismiss} className="mb-3" />
      )}
      {mayGrant ? (
        <ul className="grid grid-cols-2 gap-y-1">
          {platformRoles.map((role) => {
            const stays = role === 'super-admin' && user.lastSuperAdmin && user.platformRoles.includes(role)
            return (
              <li key={role} className="flex">
                <Checkbox
                  label={role}
                  aria-disabled={stays || undefined}
                  help={stays && 'This is the last one. Grant the role to someone else first.'}
                  checked={user.platformRoles.includes(role)}
                  aria-busy={isSaving(user, role) || undefined}
                  onCheckedChange={(held) => ask({ person: user, role, held })}
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
      <SuperAdminQuestion about={asked} onClose={() => setAsked(undefined)} onConfirm={save} />
    </DrawerSection>
  )
}
