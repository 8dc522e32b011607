import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
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
