import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import type { useAgentList } from '../agent-queries.ts'
import { getReasonText } from '../runs/reason-text.ts'

interface AgentListFailureProps {
  list: ReturnType<typeof useAgentList>
}

export const fetchErrorText = 'Failed to fetch agents'

/** Shown in place of agents that couldn’t be loaded. The list is passed in: an own query would refetch on every mount. */
export function AgentListFailure({ list: { data, error, isFetching, refetch } }: AgentListFailureProps) {
  if (data?.from === 'unreadable')
    return (
      <EmptyPanel
        drawing="lamp"
        title="No agents found. Please check your database connection."
        action={<RetryButton busy={isFetching} onClick={() => refetch()} />}
      />
    )
  const reasonText = data?.from === 'samples' ? 'The server couldn’t be reached.' : getReasonText(error, fetchErrorText)
  return (
    <ErrorPanel
      title={`Error loading agents: ${reasonText}`}
      onRetry={() => refetch()}
      retrying={isFetching}
      reason={error}
    >
      Your agents aren’t affected.
    </ErrorPanel>
  )
}

export const wideGrid = 'grid grid-cols-3 gap-4 max-[1180px]:grid-cols-2 phone:grid-cols-1'
export const narrowGrid = 'grid grid-cols-1 gap-4 @min-[620px]:grid-cols-2'

export function RegistrySkeleton({ grid }: { grid: string }) {
  return (
    <SkeletonGroup label="Loading agents" className={grid}>
      {['one', 'two', 'three', 'four', 'five', 'six'].map((card) => (
        <div key={card} className="flex h-60 flex-col gap-3 rounded-lg border border-border bg-card p-4">
          <div className="flex gap-3">
            <Skeleton className="size-[42px] rounded-full" />
            <div className="flex-1">
              <Skeleton className="h-5 w-1/2" />
              <Skeleton className="mt-2 h-4 w-2/5" />
            </div>
          </div>
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-4/5" />
          <Skeleton className="mt-2 h-8 w-3/4" />
          <Skeleton className="mt-auto h-7 w-32" />
        </div>
      ))}
    </SkeletonGroup>
  )
}
