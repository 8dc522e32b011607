import { useState } from 'react'
import { platformRoles } from '#contract/accounts/accounts.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { toAdminFailureText, useRoleUsers } from '../admin-queries.ts'
import { TableSkeleton } from '../permission-gate.tsx'
import { NoUsersFound, UserSearch } from '../user-search.tsx'
import { useRoleChange } from './role-change.tsx'
import { RoleMatrix } from './role-matrix.tsx'

const pageSize = 100

/** Saves every change immediately and reverts it with a banner when the server refuses. */
export function RoleAssignment({ currentUserId }: { currentUserId: string }) {
  const [search, setSearch] = useState('')
  const [maxVisible, setMaxVisible] = useState(pageSize)
  const { allUsers, matches, nextPages, failedPages } = useRoleUsers(search.trim())
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

  const visibleUsers = matches?.slice(0, maxVisible)
  return (
    <>
      {failureBanner}
      <Card padded={false} className="overflow-hidden">
        <UserSearch value={search} onValueChange={setSearch}>
          <p className="text-small text-muted-foreground phone:flex-1">Changes are saved as you make them</p>
        </UserSearch>
        {!visibleUsers && failure ? (
          <div className="p-4">{failure}</div>
        ) : !visibleUsers || !allUsers ? (
          <TableSkeleton className="flex flex-col gap-3 p-4" />
        ) : visibleUsers.length === 0 ? (
          <NoUsersFound onClear={() => setSearch('')} />
        ) : (
          <RoleMatrix
            roles={platformRoles}
            people={visibleUsers}
            allUsers={allUsers}
            isSaving={isSaving}
            onChange={requestChange}
          />
        )}
        {matches && (matches.length > maxVisible || nextPages) && (
          <div className="flex items-center justify-between gap-3 border-t border-border px-4 py-2.5">
            <span className="text-small text-muted-foreground">
              {Math.min(maxVisible, matches.length).toLocaleString('en-US')} of {nextPages && 'more than '}
              {matches.length.toLocaleString('en-US')} users
            </span>
            {matches.length > maxVisible ? (
              <Button size="small" onClick={() => setMaxVisible(maxVisible + pageSize)}>
                Show more
              </Button>
            ) : (
              nextPages && (
                <ShowMore
                  {...nextPages}
                  fetchNextPage={() => {
                    setMaxVisible(maxVisible + pageSize)
                    return nextPages.fetchNextPage()
                  }}
                />
              )
            )}
          </div>
        )}
      </Card>
      {dialog}
    </>
  )
}
