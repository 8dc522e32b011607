import { useState } from 'react'
import { platformRoles } from '#contract/accounts/accounts.ts'
import { Card } from '#web/ui/panels/card.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { ListFoot, useRowPages } from '#web/ui/panels/list-foot.tsx'
import { TableSkeleton } from '#web/ui/panels/table-skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { toAdminFailureText, useRoleUsers } from '../admin-queries.ts'
import { NoUsersFound, UserSearch } from '../user-search.tsx'
import { useRoleChange } from './role-change.tsx'
import { RoleMatrix } from './role-matrix.tsx'

/** Saves every change immediately and reverts it with a banner when the server refuses. */
export function RoleAssignment({ currentUserId }: { currentUserId: string }) {
  const [search, setSearch] = useState('')
  const { allUsers, matches, nextPages, failedPages } = useRoleUsers(search.trim())
  const { visibleRows, list } = useRowPages(matches ?? [], nextPages)
  const { requestChange, isSaving, failureBanner, dialog } = useRoleChange(currentUserId, 'mb-3.5')

  const failure = failedPages && (
    <ErrorPanel
      title={`Error: ${toAdminFailureText(failedPages.error, 'Failed to load roles and users')}`}
      onRetry={() => failedPages.refetch()}
      retrying={failedPages.isFetching}
      reason={failedPages.error}
    >
      No roles were changed.
    </ErrorPanel>
  )
  if (failure && !allUsers) return failure

  const visibleUsers = matches && visibleRows
  function renderUsers() {
    if (!visibleUsers && failure) return <div className="p-4">{failure}</div>
    if (!visibleUsers || !allUsers) return <TableSkeleton />
    if (visibleUsers.length === 0) return <NoUsersFound onClear={() => setSearch('')} />
    return (
      <RoleMatrix
        roles={platformRoles}
        people={visibleUsers}
        allUsers={allUsers}
        isSaving={isSaving}
        onChange={requestChange}
      />
    )
  }

  return (
    <>
      {failureBanner}
      <Card padded={false} className="overflow-clip">
        <UserSearch value={search} onValueChange={setSearch}>
          <p className="text-small text-muted-foreground phone:flex-1">Changes are saved as you make them</p>
        </UserSearch>
        {renderUsers()}
        {matches && (
          <ListFoot list={list}>
            {nextPages && 'More than '}
            {pluralize(matches.length, 'user')}
          </ListFoot>
        )}
      </Card>
      {dialog}
    </>
  )
}
