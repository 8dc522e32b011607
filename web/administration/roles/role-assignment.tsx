import { useState } from 'react'
import { platformRoles } from '#contract/accounts/accounts.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { failureText, useRoles, useRoleUsers } from '../admin-queries.ts'
import { FailedChangeBanner } from './failed-change-banner.tsx'
import { RoleMatrix } from './role-matrix.tsx'
import { isAskedFirst, SuperAdminQuestion } from './super-admin-question.tsx'
import { type RoleChange, useRoleChange } from './use-role-change.ts'

const shownAtOnce = 100

/** Saves every tick immediately and reverts it with a banner when the server refuses. */
export function RoleAssignment({ ownId }: { ownId: string }) {
  const [search, setSearch] = useState('')
  const [most, setMost] = useState(shownAtOnce)
  const roles = useRoles(true)
  const { everybody, found, rest, failed: unread } = useRoleUsers(search.trim(), true)
  const { change, failed, dismiss, isSaving } = useRoleChange()
  const [asked, setAsked] = useState<RoleChange>()

  function ask(wanted: RoleChange) {
    if (isAskedFirst(wanted, ownId)) setAsked(wanted)
    else void change(wanted)
  }

  const broken = roles.isError ? roles : unread
  const failure = broken && (
    <ErrorPanel
      title={`Error: ${failureText(broken.error, 'Failed to load roles and users')}`}
      onRetry={() => Promise.all([roles.refetch(), (unread ?? everybody).refetch()])}
      retrying={roles.isFetching || (unread ?? everybody).isFetching}
      reason={broken.error}
    >
      No roles were changed.
    </ErrorPanel>
  )
  if (failure && (!everybody.data || !roles.data)) return failure

  const shown = found?.slice(0, most)
  return (
    <>
      {failed && (
        <FailedChangeBanner failed={failed} onRetry={() => ask(failed)} onDismiss={dismiss} className="mb-3.5" />
      )}
      <Card padded={false} className="overflow-hidden">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-border px-3.5 py-2.5">
          <SearchField
            label="Search users..."
            value={search}
            onValueChange={setSearch}
            className="w-[280px] max-w-full phone:w-[200px]"
          />
          <p className="text-small text-muted-foreground phone:flex-1">Changes save as you tick them</p>
        </div>
        {!shown && failure ? (
          <div className="p-4">{failure}</div>
        ) : !shown || !everybody.data || !roles.data ? (
          <SkeletonGroup className="flex flex-col gap-3 p-4">
            {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
              <Skeleton key={row} className="h-9" />
            ))}
          </SkeletonGroup>
        ) : shown.length === 0 ? (
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
            people={shown}
            everybody={everybody.data}
            isSaving={isSaving}
            onChange={ask}
          />
        )}
        {found && (found.length > most || rest) && (
          <div className="flex items-center justify-between gap-3 border-t border-border px-4 py-2.5">
            <span className="text-small text-muted-foreground">
              {Math.min(most, found.length).toLocaleString('en-US')} of {rest && 'more than '}
              {found.length.toLocaleString('en-US')} users
            </span>
            {found.length > most ? (
              <Button size="small" onClick={() => setMost(most + shownAtOnce)}>
                Show more
              </Button>
            ) : (
              rest && (
                <ShowMore
                  {...rest}
                  fetchNextPage={() => {
                    setMost(most + shownAtOnce)
                    return rest.fetchNextPage()
                  }}
                />
              )
            )}
          </div>
        )}
      </Card>
      <SuperAdminQuestion about={asked} onClose={() => setAsked(undefined)} onConfirm={change} />
    </>
  )
}
