import type { Agent, NewAgent } from '#contract/agents/agents.ts'
import { withLeadLooks } from '#contract/agents/lead-looks.ts'

const fields = [
  'purpose',
  'agent_class',
  'context_scope',
  'tools',
  'config',
  'model_provider',
  'model_settings',
] as const

/** Whether the changes affect how the agent answers; a new name doesn’t. */
export function touchesTheModel(agent: Agent, values: NewAgent): boolean {
  const [after, before] = [withLooks(values), withLooks(agent)]
  return fields.some((field) => !isSame(after[field], before[field]))
}

/** Leads saved without style settings have the defaults that the form shows. */
function withLooks<Saved extends Pick<NewAgent, 'agent_class' | 'config'>>(agent: Saved): Saved {
  return { ...agent, config: withLeadLooks(agent.agent_class ?? 'Standard', agent.config ?? {}) }
}

/** Compares as JSON regardless of key order; missing equals undefined. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
