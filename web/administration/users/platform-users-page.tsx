import { ScrollText } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { PlatformUser } from '#contract/administration/administration.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel, type ErrorPanelProps } from '#web/ui/panels/error-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { type Column, Table } from '#web/ui/panels/table.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { Time } from '#web/ui/text/time.tsx'
import { toAdminFailureText, useUserPages } from '../admin-queries.ts'
import { NotPermitted, PersonName } from '../person-name.tsx'
import { UserDrawer } from './user-drawer.tsx'

export function PlatformUsersPage() {
  const { access, accessError, refetchAccess, user } = useAuth()
  const [params, setParams] = useSearchParams()
  const [search, setSearch] = useState('')
  const searchText = useDeferredValue(search.trim())
  const isPermitted = access?.permissions.includes('manage_users')
  const pages = useUserPages(searchText, isPermitted === true)
  const users = pages.data?.pages.flatMap((page) => page.users)
  const total = pages.data?.pages[0]?.total
  const openUserId = params.get('user')
  const showUser = (id: string | null) => setParams(id ? { user: id } : {}, { replace: true })

  return (
    <>
      <PageHeader
        title="Platform User Management"
        subtitle="Everyone with an account on this server. Their content isn’t shown here."
        actions={
          isPermitted && (
            <LinkButton to="/admin/audit" icon={<ScrollText aria-hidden size={15} />}>
              Audit Log
            </LinkButton>
          )
        }
      />
      {accessError ? (
        <UsersFailed reason={accessError} onRetry={refetchAccess} />
      ) : isPermitted === undefined ? (
        <ListSkeleton />
      ) : !isPermitted ? (
        <NotPermitted title="Your account can’t manage users" permission="manage_users" />
      ) : (
        <Card padded={false} className="overflow-hidden">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-border px-3.5 py-2.5">
            <SearchField
              label="Search users..."
              value={search}
              onValueChange={setSearch}
              className="w-[280px] max-w-full phone:w-[200px]"
            />
            <p role="status" className="text-small text-muted-foreground tabular-nums">
              {total === undefined ? '' : `${total.toLocaleString('en-US')} ${total === 1 ? 'user' : 'users'}`}
            </p>
          </div>
          {pages.isError && !users ? (
            <UsersFailed
              className="m-4"
              reason={pages.error}
              onRetry={() => pages.refetch()}
              retrying={pages.isFetching}
            />
          ) : !users ? (
            <ListSkeleton />
          ) : users.length === 0 ? (
            <EmptyPanel
              className="m-4"
              title="No people match."
              action={<Button onClick={() => setSearch('')}>Clear</Button>}
            >
              Search covers names and emails.
            </EmptyPanel>
          ) : (
            <Table
              label="Users"
              columns={createColumns(showUser)}
              rows={users}
              rowKey={({ id }) => id}
              isChosen={({ id }) => id === openUserId}
            />
          )}
          {pages.hasNextPage && (
            <div className="flex items-center justify-between gap-3 border-t border-border px-4 py-2.5">
              <span className="text-small text-muted-foreground">{users?.length.toLocaleString('en-US')} shown</span>
              <ShowMore {...pages} />
            </div>
          )}
        </Card>
      )}
      {isPermitted && access && user && (
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
      platformRoles.length === 0 ? (
        <span className="text-muted-foreground">None</span>
      ) : (
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
      <Button size="small" onClick={() => showUser(user.id)}>
        View Details<span className="sr-only"> of {getPersonName(user)}</span>
      </Button>
    ),
  },
]

function Deactivated({ user }: { user: PlatformUser }) {
  return user.deactivatedAt ? <Badge tone="warning">Deactivated</Badge> : null
}

function UsersFailed(props: Omit<ErrorPanelProps, 'title' | 'children'>) {
  return (
    <ErrorPanel title="Failed to load users" {...props}>
      {toAdminFailureText(props.reason, 'The accounts themselves are safe.')}
    </ErrorPanel>
  )
}

function ListSkeleton() {
  return (
    <SkeletonGroup className="flex flex-col gap-3 p-4">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
        <Skeleton key={row} className="h-9" />
      ))}
    </SkeletonGroup>
  )
}
