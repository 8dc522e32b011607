import { useState } from 'react'
import { platformRoles } from '#contract/accounts/accounts.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { toAdminFailureText, useRoles, useRoleUsers } from '../admin-queries.ts'
import {
  FailedChangeBanner,
  needsConfirmation,
  type RoleChange,
  SuperAdminDialog,
  useRoleChange,
} from './role-change.tsx'
import { RoleMatrix } from './role-matrix.tsx'

const pageSize = 100

/** Saves every change immediately and reverts it with a banner when the server refuses. */
export function RoleAssignment({ currentUserId }: { currentUserId: string }) {
  const [search, setSearch] = useState('')
  const [maxVisible, setMaxVisible] = useState(pageSize)
  const roles = useRoles(true)
  const { allUsers, matches, nextPages, failedPages } = useRoleUsers(search.trim(), true)
  const { change, failed, dismiss, isSaving } = useRoleChange()
  const [pendingChange, setPendingChange] = useState<RoleChange>()

  function requestChange(roleChange: RoleChange) {
    if (needsConfirmation(roleChange, currentUserId)) setPendingChange(roleChange)
    else void change(roleChange)
  }

  const failedQuery = roles.isError ? roles : failedPages
  const failure = failedQuery && (
    <ErrorPanel
      title={`Error: ${toAdminFailureText(failedQuery.error, 'Failed to load roles and users')}`}
      onRetry={() => Promise.all([roles.refetch(), (failedPages ?? allUsers).refetch()])}
      retrying={roles.isFetching || (failedPages ?? allUsers).isFetching}
      reason={failedQuery.error}
    >
      No roles were changed.
    </ErrorPanel>
  )
  if (failure && (!allUsers.data || !roles.data)) return failure

  const visibleUsers = matches?.slice(0, maxVisible)
  return (
    <>
      {failed && (
        <FailedChangeBanner
          failed={failed}
          onRetry={() => requestChange(failed)}
          onDismiss={dismiss}
          className="mb-3.5"
        />
      )}
      <Card padded={false} className="overflow-hidden">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-border px-3.5 py-2.5">
          <SearchField
            label="Search users..."
            value={search}
            onValueChange={setSearch}
            className="w-[280px] max-w-full phone:w-[200px]"
          />
          <p className="text-small text-muted-foreground phone:flex-1">Changes are saved as you make them</p>
        </div>
        {!visibleUsers && failure ? (
          <div className="p-4">{failure}</div>
        ) : !visibleUsers || !allUsers.data || !roles.data ? (
          <SkeletonGroup className="flex flex-col gap-3 p-4">
            {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
              <Skeleton key={row} className="h-9" />
            ))}
          </SkeletonGroup>
        ) : visibleUsers.length === 0 ? (
          <EmptyPanel
            className="m-4"
            title="No people match."
            action={<Button onClick={() => setSearch('')}>Clear</Button>}
          >
            Search covers names and emails.
          </EmptyPanel>
        ) : (
          <RoleMatrix
            roles={platformRoles.filter((role) => roles.data.some(({ name }) => name === role))}
            people={visibleUsers}
            allUsers={allUsers.data}
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
      <SuperAdminDialog pendingChange={pendingChange} onClose={() => setPendingChange(undefined)} onConfirm={change} />
    </>
  )
}
