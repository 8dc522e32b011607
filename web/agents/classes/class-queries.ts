import { type AgentClassEntry, agentClassCalls } from '#contract/agents/agent-classes.ts'
import { type AgentClass, agentClasses } from '#contract/agents/agent-constants.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { catalogQuery } from '#web/catalog/catalog-query.ts'
import { agentsKey } from '../agent-queries.ts'

/** Under agentsKey, so that agent changes refresh the counts. */
export const classesKey = [...agentsKey, 'classes'] as const

const sampleCounts: Record<AgentClass, number> = { Standard: 12, Coordinator: 3, Lead: 2, Persona: 0 }
const classDescriptions: Record<AgentClass, string> = {
  Standard: 'Does one thing well when asked.',
  Coordinator: 'Splits a task among the agents in its bundle.',
  Lead: 'Has its own page where people talk to it.',
  Persona: 'Will speak as a specific person. Coming soon.',
}
const staticClasses = agentClasses.map(
  (base): AgentClassEntry => ({
    id: `system-${base.toLowerCase()}`,
    slug: base.toLowerCase(),
    name: base,
    description: classDescriptions[base],
    system: true,
    mine: false,
    base,
    defaults: {},
    createdAt: '2026-01-05T08:00:00.000Z',
    updatedAt: '2026-01-05T08:00:00.000Z',
    rev: 1,
    _count: { Agent: sampleCounts[base] },
  }),
)

export const classesQuery = catalogQuery(
  classesKey,
  (signal) => readAllPages<AgentClassEntry>(agentClassCalls.list, {}, signal),
  staticClasses,
)
