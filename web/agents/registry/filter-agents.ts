import { type AgentClass, type AgentStatus, agentClasses, agentStatuses } from '#contract/agents/agent-constants.ts'
import type { Agent } from '#contract/agents/agents.ts'
import { createTextFilter } from '#contract/search/search-query.ts'

/** Fewer agents fit on the screen and need no search. */
export const minSearchableCount = 9

export interface AgentFilter {
  query: string
  agentClass: AgentClass | ''
  status: AgentStatus | ''
}
export const emptyFilter: AgentFilter = { query: '', agentClass: '', status: '' }

export function filterAgents(agents: readonly Agent[], { query, agentClass, status }: AgentFilter): Agent[] {
  const isMatch = createTextFilter(query)
  return agents.filter(
    (agent) =>
      (agentClass === '' || agent.agent_class === agentClass) &&
      (status === '' || agent.status === status) &&
      isMatch(agent.name, agent.slug, agent.purpose),
  )
}

/** The classes and statuses that occur, in their usual order. */
export function listClasses(agents: readonly Agent[]): AgentClass[] {
  return agentClasses.filter((name) => agents.some((agent) => agent.agent_class === name))
}

export function listStatuses(agents: readonly Agent[]): AgentStatus[] {
  return agentStatuses.filter((name) => agents.some((agent) => agent.status === name))
}
