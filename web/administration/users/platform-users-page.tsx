import { ScrollText } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { PlatformUser } from '#contract/administration/administration.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { ListFoot } from '#web/ui/panels/list-foot.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { type Column, quietActionClasses, Table } from '#web/ui/panels/table.tsx'
import { TableSkeleton } from '#web/ui/panels/table-skeleton.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'
import { toAdminFailureText, useUserPages } from '../admin-queries.ts'
import { PermissionGate } from '../permission-gate.tsx'
import { PersonName } from '../person-name.tsx'
import { NoUsersFound, UserSearch } from '../user-search.tsx'
import { UserDrawer } from './user-drawer.tsx'

const failure = {
  title: 'Failed to load users',
  children: (reason: Error) => toAdminFailureText(reason, 'The accounts themselves are safe.'),
}

export function PlatformUsersPage() {
  const { access } = useAuth()
  return (
    <>
      <PageHeader
        title="Platform User Management"
        subtitle="Everyone with an account on this server. Their content isn’t shown here."
        actions={
          access?.permissions.includes('manage_users') && (
            <LinkButton to="/admin/audit" icon={<ScrollText aria-hidden size={15} />}>
              Audit Log
            </LinkButton>
          )
        }
      />
      <PermissionGate permission="manage_users" refusal="Your account can’t manage users" failure={failure}>
        <PlatformUsers />
      </PermissionGate>
    </>
  )
}

function PlatformUsers() {
  const { access, user } = useAuth()
  const [params, setParams] = useSearchParams()
  const [search, setSearch] = useState('')
  const pages = useUserPages(useDeferredValue(search.trim()), true)
  const users = pages.data?.pages.flatMap((page) => page.users)
  const total = pages.data?.pages[0]?.total
  const openUserId = params.get('user')
  const showUser = (id: string | null) => setParams(id ? { user: id } : {}, { replace: true })

  return (
    <>
      <Card padded={false} className="overflow-clip">
        <UserSearch value={search} onValueChange={setSearch} />
        <QueryState query={pages} skeleton={<TableSkeleton />} className="m-4" {...failure} />
        {users?.length === 0 && <NoUsersFound onClear={() => setSearch('')} />}
        {users && users.length > 0 && (
          <Table
            label="Users"
            columns={createColumns(showUser)}
            rows={users}
            rowKey={({ id }) => id}
            isChosen={({ id }) => id === openUserId}
            opensRows
          />
        )}
        {total !== undefined && <ListFoot list={pages}>{pluralize(total, 'user')}</ListFoot>}
      </Card>
      {access && user && (
        <UserDrawer
          id={openUserId}
          currentUserId={user.id}
          permissions={access.permissions}
          onClose={() => showUser(null)}
        />
      )}
    </>
  )
}

const createColumns = (showUser: (id: string) => void): Column<PlatformUser>[] => [
  {
    id: 'user',
    header: 'User',
    rowHeader: true,
    className: 'max-w-[280px] phone:w-full phone:max-w-0',
    cell: (user) => (
      <>
        <span className="phone:hidden">
          <PersonName
            person={{ name: getPersonName(user), email: getPersonName(user) }}
            badge={<Deactivated user={user} />}
          />
        </span>
        <span className="desk:hidden">
          <PersonName person={user} initial="hidden" badge={<Deactivated user={user} />} />
          {user.platformRoles.length > 0 && <span className="block text-small">{user.platformRoles.join(', ')}</span>}
        </span>
      </>
    ),
  },
  { id: 'email', header: 'Email', wideOnly: true, className: 'max-w-[260px] truncate', cell: ({ email }) => email },
  {
    id: 'roles',
    header: 'Platform Roles',
    wideOnly: true,
    cell: ({ platformRoles }) =>
      platformRoles.length > 0 && (
        <span className="flex flex-wrap gap-1">
          {platformRoles.map((role) => (
            <Badge key={role}>{role}</Badge>
          ))}
        </span>
      ),
  },
  {
    id: 'joined',
    header: 'Joined',
    className: 'whitespace-nowrap text-muted-foreground',
    wideOnly: true,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    align: 'end',
    className: 'whitespace-nowrap',
    cell: (user) => (
      <span className={quietActionClasses}>
        <Button size="small" variant="plain" onClick={() => showUser(user.id)}>
          View Details<span className="sr-only"> of {getPersonName(user)}</span>
        </Button>
      </span>
    ),
  },
]

function Deactivated({ user }: { user: PlatformUser }) {
  return user.deactivatedAt ? <Badge tone="warning">Deactivated</Badge> : null
}
