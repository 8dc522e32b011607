import type { Permission } from '#contract/endpoint.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { toAdminFailureText, useAuditPages, useUser } from '../admin-queries.ts'
import { AuditLines } from '../audit/audit-lines.tsx'
import { DrawerSection } from './drawer-section.tsx'
import { UserActions } from './user-actions.tsx'
import { UserRoles } from './user-roles.tsx'
import { UserSummary } from './user-summary.tsx'

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

function UserDetails({
  id,
  currentUserId,
  permissions,
}: {
  id: string
  currentUserId: string
  permissions: readonly Permission[]
}) {
  const { data: user, error, isFetching, refetch } = useUser(id)
  if (user) {
    return (
      <>
        <h3 className="text-h2 wrap-break-word">{getPersonName(user)}</h3>
        <UserSummary user={user} />
        <UserRoles user={user} currentUserId={currentUserId} canGrant={permissions.includes('manage_platform_roles')} />
        <UserActions user={user} isCurrentUser={id === currentUserId} />
        <UserAuditTrail id={id} />
      </>
    )
  }
  if (error) {
    return (
      <ErrorPanel
        title={toAdminFailureText(error, 'Failed to load user')}
        onRetry={() => refetch()}
        retrying={isFetching}
        reason={error}
      />
    )
  }
  return (
    <SkeletonGroup className="flex flex-col gap-4">
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-28" />
      <Skeleton className="h-40" />
    </SkeletonGroup>
  )
}

const maxTrailEntries = 15

function UserAuditTrail({ id }: { id: string }) {
  const trail = useAuditPages({ userId: id }, true, maxTrailEntries)
  const events = trail.data?.pages[0]?.items
  return (
    <DrawerSection title="Audit trail">
      {events ? (
        <AuditLines events={events} personId={id} />
      ) : trail.isError ? (
        <ErrorPanel
          title={toAdminFailureText(trail.error, 'Failed to load the audit trail')}
          reason={trail.error}
          onRetry={() => trail.refetch()}
          retrying={trail.isFetching}
        />
      ) : (
        <SkeletonGroup>
          <Skeleton className="h-24" />
        </SkeletonGroup>
      )}
      <LinkButton to={`/admin/audit?userId=${id}`} variant="plain" size="small" className="-ms-2.5 mt-2">
        View all in the audit log
      </LinkButton>
    </DrawerSection>
  )
}
