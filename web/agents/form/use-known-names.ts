import { useMemo } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { useAgentList } from '../agent-queries.ts'
import type { KnownNames } from './check-agent-form.ts'
import { useKnownToolNames } from './use-tools.ts'

/** Known names for validation; a stable object until they change. */
export function useKnownNames(agent: Agent | null): KnownNames {
  const tools = useKnownToolNames()
  const { data } = useAgentList()
  return useMemo(() => {
    const visibleNames = data?.from === 'server' ? data.agents.flatMap(({ slug, id }) => [slug, id]) : undefined
    // Saved bundles stay valid: the owner may run agents that this editor can't see.
    return { tools, agents: visibleNames && [...visibleNames, ...(agent?.config.bundle ?? [])] }
  }, [tools, data, agent])
}
