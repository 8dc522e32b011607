import { useSearchParams } from 'react-router'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { toAdminFailureText } from '../admin-queries.ts'
import { NotPermitted } from '../not-permitted.tsx'
import { PermissionTable } from './permission-table.tsx'
import { RoleAssignment } from './role-assignment.tsx'
import { RoleDetails } from './role-details.tsx'

const tabs = [
  { id: 'assignment', label: 'Role Assignment' },
  { id: 'details', label: 'Role Details' },
  { id: 'permissions', label: 'Permissions' },
] as const
type TabId = (typeof tabs)[number]['id']

export function PlatformRolesPage() {
  const { access, accessError, refetchAccess, user } = useAuth()
  const [params, setParams] = useSearchParams()
  const tab: TabId = tabs.find(({ id }) => id === params.get('tab'))?.id ?? 'assignment'
  const permissions = access?.permissions

  return (
    <>
      <PageHeader
        title="Platform Roles"
        subtitle="These roles apply across every domain. Assign domain roles in Domain Settings."
      />
      {accessError ? (
        <ErrorPanel
          title={`Error: ${toAdminFailureText(accessError, 'Failed to load roles and users')}`}
          onRetry={refetchAccess}
          reason={accessError}
        >
          No roles were changed.
        </ErrorPanel>
      ) : !permissions || !user ? (
        <SkeletonGroup>
          <Skeleton className="h-64" />
        </SkeletonGroup>
      ) : !permissions.includes('access_admin_pages') ? (
        <NotPermitted title="Your account can’t view platform roles" permission="access_admin_pages" />
      ) : (
        <Tabs
          label="Platform roles"
          tabs={tabs}
          value={tab}
          onValueChange={(id) => setParams(id === 'assignment' ? {} : { tab: id }, { replace: true })}
        >
          {tab === 'details' ? (
            <RoleDetails />
          ) : tab === 'permissions' ? (
            <PermissionTable />
          ) : permissions.includes('manage_platform_roles') ? (
            <RoleAssignment currentUserId={user.id} />
          ) : (
            <NotPermitted title="Your account can’t grant platform roles" permission="manage_platform_roles" />
          )}
        </Tabs>
      )}
    </>
  )
}
