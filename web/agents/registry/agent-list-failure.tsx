import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import type { useAgentList } from '../agent-queries.ts'
import { reasonText } from '../runs/reason-text.ts'

interface AgentListFailureProps {
  list: ReturnType<typeof useAgentList>
}

export const triedToFetch = 'Failed to fetch agents'

/**
 * In the place of agents that could not be read: why, and Retry. It is handed the list: one that asks for itself would
 * ask anew each time it comes into sight, and be gone while it waits.
 */
export function AgentListFailure({ list: { data, error, isFetching, refetch } }: AgentListFailureProps) {
  if (data?.from === 'unreadable')
    return (
      <EmptyPanel
        drawing="lamp"
        title="No agents found. Please check your database connection."
        action={<RetryButton busy={isFetching} onClick={() => refetch()} />}
      />
    )
  const why = data?.from === 'samples' ? 'The server could not be reached.' : reasonText(error, triedToFetch)
  return (
    <ErrorPanel title={`Error loading agents: ${why}`} onRetry={() => refetch()} retrying={isFetching} reason={error}>
      Your agents are not affected.
    </ErrorPanel>
  )
}
