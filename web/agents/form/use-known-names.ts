import { useMemo } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import { useAgentList } from '../agent-queries.ts'
import type { KnownNames } from './check-agent-form.ts'
import { useKnownToolNames } from './use-tools.ts'

/** The names that the lists of an agent's form may hold, as far as they are known now; the same object until they change. */
export function useKnownNames(agent: Agent | null): KnownNames {
  const tools = useKnownToolNames()
  const { data } = useAgentList()
  return useMemo(() => {
    const seen = data?.from === 'server' ? data.agents.flatMap(({ slug, id }) => [slug, id]) : undefined
    // What is saved stays: its owner may run agents that somebody else who edits it cannot see.
    return { tools, agents: seen && [...seen, ...(agent?.config.bundle ?? [])] }
  }, [tools, data, agent])
}
