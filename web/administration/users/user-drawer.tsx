import type { Permission } from '#contract/endpoint.ts'
import { Drawer } from '#web/ui/drawer.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { nameOf } from '#web/ui/name-of-person.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { failureText, useAuditPages, useUser } from '../admin-queries.ts'
import { AuditLines } from '../audit/audit-lines.tsx'
import { DrawerSection } from './drawer-section.tsx'
import { UserActions } from './user-actions.tsx'
import { UserFacts } from './user-facts.tsx'
import { UserRoles } from './user-roles.tsx'

interface UserDrawerProps {
  id: string | null
  ownId: string
  permissions: readonly Permission[]
  onClose: () => void
}

export function UserDrawer({ id, ownId, permissions, onClose }: UserDrawerProps) {
  return (
    <Drawer
      open={id !== null}
      onOpenChange={(open) => !open && onClose()}
      title="User Details"
      className="w-[460px]! max-w-[calc(100vw-24px)]!"
    >
      {id !== null && <Details key={id} id={id} ownId={ownId} permissions={permissions} />}
    </Drawer>
  )
}

function Details({ id, ownId, permissions }: { id: string; ownId: string; permissions: readonly Permission[] }) {
  const { data: user, error, isFetching, refetch } = useUser(id)
  if (user) {
    return (
      <>
        <h3 className="text-h2 wrap-break-word">{nameOf(user)}</h3>
        <UserFacts user={user} />
        <UserRoles user={user} ownId={ownId} mayGrant={permissions.includes('manage_platform_roles')} />
        <UserActions user={user} isOwn={id === ownId} />
        <Trail id={id} />
      </>
    )
  }
  if (error) {
    return (
      <ErrorPanel
        title={failureText(error, 'Failed to load user')}
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

const latest = 15

function Trail({ id }: { id: string }) {
  const trail = useAuditPages({ userId: id }, true, latest)
  const events = trail.data?.pages[0]?.items
  return (
    <DrawerSection title="Audit trail">
      {events ? (
        <AuditLines events={events} about={id} />
      ) : trail.isError ? (
        <ErrorPanel
          title={failureText(trail.error, 'Failed to load the audit trail')}
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
        All in the audit log
      </LinkButton>
    </DrawerSection>
  )
}
