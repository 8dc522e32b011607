import type { ReactNode } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { useLimitedList } from '#web/ui/hooks/use-limited-list.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { useAgentList } from '../agent-queries.ts'
import { useRetiringModels } from '../form/retiring-models.tsx'
import { getReasonText } from '../runs/reason-text.ts'
import { AgentCard } from './agent-card.tsx'
import { AgentListFailure, fetchErrorText, narrowGrid, RegistrySkeleton, wideGrid } from './agent-list-states.tsx'

export interface AgentRegistryProps {
  personId?: string | undefined
  isRunning: (agentId: string) => boolean
  onRun: (agent: Agent) => void
  onEdit?: (agent: Agent) => void
  onDelete?: (agent: Agent) => void
  emptyAction?: ReactNode
  narrow?: boolean
}

export function AgentRegistry({ isRunning, emptyAction, narrow = false, ...actions }: AgentRegistryProps) {
  const grid = narrow ? narrowGrid : wideGrid
  const list = useAgentList()
  const { data, error, isPending, isFetching, refetch } = list
  const retiringModels = useRetiringModels()
  const { visible: visibleAgents, more } = useLimitedList(data && data.from !== 'unreadable' ? data.agents : [])

  if (isPending) return <RegistrySkeleton grid={grid} />
  if (!data || data.from === 'unreadable') return <AgentListFailure list={list} />
  return (
    <>
      {data.from === 'samples' && (
        <OfflineNotice action={<RetryButton busy={isFetching} onClick={() => refetch()} />} />
      )}
      {error && data.from === 'server' && (
        <Banner tone="error" className="mb-4" action={<RetryButton busy={isFetching} onClick={() => refetch()} />}>
          Error loading agents: {getReasonText(error, fetchErrorText)}
        </Banner>
      )}
      {data.agents.length === 0 ? (
        <EmptyPanel drawing="seal" title="No agents found" action={emptyAction}>
          An agent does one job you describe. Creating your first one takes about a minute.
        </EmptyPanel>
      ) : (
        <>
          <ul className={grid}>
            {visibleAgents.map((agent) => (
              <li key={agent.id} className="grid min-w-0">
                <AgentCard
                  agent={agent}
                  retiringModel={retiringModels.find(
                    ({ agent_id, model }) => agent_id === agent.id && model === agent.model,
                  )}
                  running={isRunning(agent.id)}
                  headingLevel={narrow ? 3 : 2}
                  {...actions}
                />
              </li>
            ))}
          </ul>
          {more}
        </>
      )}
    </>
  )
}

function OfflineNotice({ action }: { action?: ReactNode }) {
  return (
    <Banner tone="warning" className="mb-4" action={action}>
      Offline, showing samples. The server can’t be reached; running one of these gives a mock answer.
    </Banner>
  )
}
