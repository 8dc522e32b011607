import { queryOptions } from '@tanstack/react-query'
import { type AgentClassEntry, agentClassCalls } from '#contract/agents/agent-classes.ts'
import { type AgentClass, agentClasses } from '#contract/agents/agent-words.ts'
import { Unreachable } from '#web/api.ts'
import { readAllPages } from '#web/api-pages.ts'
import { agentsKey } from '../agent-queries.ts'

/** `static`: the service is out of reach, and the four of the specification are shown with its figures. */
export interface ClassList {
  from: 'server' | 'static'
  classes: AgentClassEntry[]
}

/** Below the key of agents, so that a new agent makes the counts stale. */
export const classesKey = [...agentsKey, 'classes'] as const

const leastMs = 500
const figures: Record<AgentClass, number> = { Standard: 12, Coordinator: 3, Lead: 2, Persona: 0 }
const told: Record<AgentClass, string> = {
  Standard: 'Does one thing well, when it is asked.',
  Coordinator: 'Divides a task among the agents of its bundle.',
  Lead: 'Has a page of its own where people talk to it.',
  Persona: 'Will speak as somebody. Coming soon.',
}
const staticClasses = agentClasses.map(
  (base): AgentClassEntry => ({
    id: `system-${base.toLowerCase()}`,
    slug: base.toLowerCase(),
    name: base,
    description: told[base],
    system: true,
    mine: false,
    base,
    defaults: {},
    createdAt: '2026-01-05T08:00:00.000Z',
    updatedAt: '2026-01-05T08:00:00.000Z',
    rev: 1,
    _count: { Agent: figures[base] },
  }),
)

export const classesQuery = queryOptions({
  queryKey: classesKey,
  async queryFn({ signal, client }): Promise<ClassList> {
    const first = client.getQueryData(classesKey) === undefined
    const least = first ? new Promise((done) => setTimeout(done, leastMs)) : undefined
    const [loaded] = await Promise.allSettled([readAllPages<AgentClassEntry>(agentClassCalls.list, {}, signal), least])
    if (loaded.status === 'fulfilled') return { from: 'server', classes: loaded.value }
    if (loaded.reason instanceof Unreachable) return { from: 'static', classes: staticClasses }
    throw loaded.reason
  },
  // Asked also offline, because then there is something to show; and again until the server is back.
  networkMode: 'always',
  refetchInterval: ({ state }) => (state.data?.from === 'static' ? 10_000 : false),
})
