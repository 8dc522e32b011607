import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
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
  return <SkeletonRows label="Loading agents" count={6} rowClassName="h-60 rounded-lg" className={grid} />
}
