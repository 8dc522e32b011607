import type { ReactNode } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { ApiError } from '#web/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { useAgentList } from '../agent-queries.ts'
import { reasonText } from '../runs/reason-text.ts'
import { AgentCard } from './agent-card.tsx'

export interface AgentRegistryProps {
  /** Who looks; their own agents and those shared with them are marked. */
  personId?: string | undefined
  isRunning: (agentId: string) => boolean
  onRun: (agent: Agent) => void
  onEdit?: (agent: Agent) => void
  onDelete?: (agent: Agent) => void
  /** The one next action where there is no agent yet. */
  emptyAction?: ReactNode
  /** Beside something else, with room for fewer cards in a row. */
  narrow?: boolean
}

const tried = 'Failed to fetch agents'
const wideGrid = 'grid grid-cols-3 gap-4 max-[1180px]:grid-cols-2 phone:grid-cols-1'
const narrowGrid = 'grid grid-cols-1 gap-4 @min-[620px]:grid-cols-2'

export function AgentRegistry({ isRunning, emptyAction, narrow = false, ...actions }: AgentRegistryProps) {
  const grid = narrow ? narrowGrid : wideGrid
  const { data, error, isPending, isFetching, refetch } = useAgentList()

  if (isPending) return <RegistrySkeleton grid={grid} />
  if (!data) {
    return (
      <ErrorPanel
        title={`Error loading agents: ${reasonText(error, tried)}`}
        onRetry={() => refetch()}
        retrying={isFetching}
        requestId={error instanceof ApiError ? error.requestId : undefined}
      >
        Your agents are not affected.
      </ErrorPanel>
    )
  }
  if (data.from === 'unreadable') {
    return (
      <EmptyPanel
        drawing="lamp"
        title="No agents found. Please check your database connection."
        action={<RetryButton busy={isFetching} onRetry={() => refetch()} />}
      />
    )
  }
  return (
    <>
      {data.from === 'samples' && (
        <OfflineNotice action={<RetryButton busy={isFetching} onRetry={() => refetch()} />} />
      )}
      {error && data.from === 'server' && (
        <Banner tone="error" className="mb-4" action={<RetryButton busy={isFetching} onRetry={() => refetch()} />}>
          Error loading agents: {reasonText(error, tried)}
        </Banner>
      )}
      {data.agents.length === 0 ? (
        <EmptyPanel drawing="seal" title="No agents found" action={emptyAction}>
          An agent answers an input in the way its purpose says. The first one takes a minute.
        </EmptyPanel>
      ) : (
        <ul className={grid}>
          {data.agents.map((agent) => (
            <li key={agent.id} className="grid min-w-0">
              <AgentCard agent={agent} running={isRunning(agent.id)} headingLevel={narrow ? 3 : 2} {...actions} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function OfflineNotice({ action }: { action?: ReactNode }) {
  return (
    <Banner tone="warning" className="mb-4" action={action}>
      Offline, showing samples. The server cannot be reached; running one of these gives a mock answer.
    </Banner>
  )
}

function RetryButton({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  return (
    <Button size="small" busy={busy} onClick={onRetry}>
      Retry
    </Button>
  )
}

function RegistrySkeleton({ grid }: { grid: string }) {
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
