import type { ReactNode } from 'react'
import { RetryButton } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup, SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import type { useAgentList } from '../agent-queries.ts'
import { getReasonText } from '../runs/reason-text.ts'

interface AgentListProps {
  list: ReturnType<typeof useAgentList>
}

const fetchErrorText = 'Failed to fetch agents'

/** Shown instead of agents that couldn’t be loaded. The list is a prop, because a query here would refetch on mount. */
export function AgentListFailure({ list: { data, error, isFetching, refetch } }: AgentListProps) {
  if (data?.source === 'unreadable')
    return (
      <EmptyPanel
        drawing="lamp"
        title="No agents found. Please check your database connection."
        action={<RetryButton busy={isFetching} onClick={() => refetch()} />}
      />
    )
  const reasonText =
    data?.source === 'samples' ? 'The server couldn’t be reached.' : getReasonText(error, fetchErrorText)
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

/** Says above the agents that they are samples or out of date. */
export function AgentListNotices({ list: { data, error, isFetching, refetch } }: AgentListProps) {
  const action = <RetryButton busy={isFetching} onClick={() => refetch()} />
  if (data?.source === 'samples')
    return (
      <Banner tone="warning" className="mb-4" action={action}>
        Offline, showing samples. The server can’t be reached; running one of these gives a mock answer.
      </Banner>
    )
  if (!error || data?.source !== 'server') return null
  return (
    <Banner tone="error" className="mb-4" action={action}>
      Error loading agents: {getReasonText(error, fetchErrorText)}
    </Banner>
  )
}

export function NoAgents({ action }: { action?: ReactNode }) {
  return (
    <EmptyPanel drawing="seal" title="No agents found" action={action}>
      An agent does one job you describe. Creating your first one takes about a minute.
    </EmptyPanel>
  )
}

export const cardGridClasses = 'grid grid-cols-3 gap-4 max-[1180px]:grid-cols-2 phone:grid-cols-1'

export function RegistrySkeleton() {
  return (
    <SkeletonGroup label="Loading agents" className={cardGridClasses}>
      {[1, 2, 3, 4, 5, 6].map((card) => (
        <div key={card} className="rounded-lg border border-border bg-card px-4 pt-4 pb-3 shadow-e1">
          <div className="flex items-start gap-3">
            <Skeleton className="size-[2.625rem] rounded-full" />
            <div className="flex flex-1 flex-col gap-2 pt-1">
              <Skeleton className="h-4 w-2/5" />
              <Skeleton className="h-5 w-1/2" />
            </div>
          </div>
          <Skeleton className="mt-4 h-3.5" />
          <Skeleton className="mt-2 h-3.5 w-3/4" />
          <Skeleton className="mt-4 h-[3.25rem]" />
          <Skeleton className="mt-3 h-10" />
        </div>
      ))}
    </SkeletonGroup>
  )
}

export function RegistryRowsSkeleton({ count = 12 }: { count?: number | undefined }) {
  return (
    <SkeletonRows
      label="Loading agents"
      count={count}
      rowClassName="h-[2.6875rem] phone:h-[3.4375rem]"
      className="flex flex-col gap-px rounded-lg border border-border bg-card p-px"
    />
  )
}
