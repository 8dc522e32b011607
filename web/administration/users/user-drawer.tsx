import { platformRoles } from '#contract/accounts/accounts.ts'
import type { PlatformUserDetails } from '#contract/administration/administration.ts'
import type { AuditEvent } from '#contract/administration/audit.ts'
import type { Permission } from '#contract/endpoint.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { Time } from '#web/ui/text/time.tsx'
import { toAdminFailureText, useAuditPages, useUser } from '../admin-queries.ts'
import { auditActionLabels, formatAuditDomain, formatAuditPerson, formatAuditSubject } from '../audit/audit-labels.ts'
import { useRoleChange } from '../roles/role-change.tsx'
import { UserActions } from './user-actions.tsx'
import { DrawerSection, UserSummary } from './user-summary.tsx'

interface UserDrawerProps {
  id: string | null
  currentUserId: string
  permissions: readonly Permission[]
  onClose: () => void
}

export function UserDrawer({ id, currentUserId, permissions, onClose }: UserDrawerProps) {
  return (
    <Drawer
      open={id !== null}
      onOpenChange={(open) => !open && onClose()}
      title="User Details"
      className="w-[460px]! max-w-[calc(100vw-24px)]!"
    >
      {id !== null && <UserDetails key={id} id={id} currentUserId={currentUserId} permissions={permissions} />}
    </Drawer>
  )
}

interface UserDetailsProps extends Pick<UserDrawerProps, 'currentUserId' | 'permissions'> {
  id: string
}

function UserDetails({ id, currentUserId, permissions }: UserDetailsProps) {
  const query = useUser(id)
  const { data: user } = query
  if (!user)
    return (
      <QueryState
        query={query}
        skeleton={<SkeletonRows count={3} rowClassName="h-28" />}
        title={(reason) => toAdminFailureText(reason, 'Failed to load user')}
      />
    )
  return (
    <>
      <h3 dir="auto" className="text-h2 wrap-break-word">
        {getPersonName(user)}
      </h3>
      <UserSummary user={user} />
      <UserRoles user={user} currentUserId={currentUserId} canGrant={permissions.includes('manage_platform_roles')} />
      <UserActions user={user} isCurrentUser={id === currentUserId} />
      <UserAuditTrail id={id} />
    </>
  )
}

const maxTrailEntries = 15

function UserAuditTrail({ id }: { id: string }) {
  const trail = useAuditPages({ userId: id }, maxTrailEntries)
  const events = trail.data?.pages[0]?.items
  return (
    <DrawerSection title="Audit trail">
      {events && <AuditLines events={events} personId={id} />}
      <QueryState
        query={trail}
        skeleton={<SkeletonRows rowClassName="h-24" />}
        title={(reason) => toAdminFailureText(reason, 'Failed to load the audit trail')}
      />
      <LinkButton to={`/admin/audit?userId=${id}`} variant="plain" size="small" className="-ms-2.5 mt-2">
        View all in the audit log
      </LinkButton>
    </DrawerSection>
  )
}

/** Events in which a person (`personId`) is the actor or the subject. */
function AuditLines({ events, personId }: { events: readonly AuditEvent[]; personId: string }) {
  if (events.length === 0) return <p className="text-ui text-muted-foreground">No entries yet.</p>
  return (
    <ol className="flex flex-col gap-2 text-ui">
      {events.map((event) => (
        <li key={event.id}>
          <span className="font-medium">{auditActionLabels[event.action]}</span>
          {[formatAuditSubject(event), formatAuditDomain(event.domain)].filter(Boolean).map((text) => (
            <span key={text} className="wrap-break-word">
              {' '}
              · {text}
            </span>
          ))}
          <span className="block text-small text-muted-foreground">
            <Time value={event.at} timeStyle="date-time" />
            {event.actor?.id !== personId && <> by {formatAuditPerson(event.actor)}</>}
            {event.person && event.person.id !== personId && <> to {formatAuditPerson(event.person)}</>}
          </span>
        </li>
      ))}
    </ol>
  )
}

interface UserRolesProps {
  user: PlatformUserDetails
  currentUserId: string
  canGrant: boolean
}

function UserRoles({ user, currentUserId, canGrant }: UserRolesProps) {
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
