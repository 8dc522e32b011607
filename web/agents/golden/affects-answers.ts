import type { Agent, NewAgent } from '#contract/agents/agents.ts'
import { withLeadAppearance } from '#contract/agents/lead-appearance.ts'

const answerFields = [
  'purpose',
  'agent_class',
  'context_scope',
  'tools',
  'config',
  'model_provider',
  'model_settings',
] as const

/** Whether the changes affect how the agent answers; a new name doesn’t. */
export function affectsAnswers(agent: Agent, values: NewAgent): boolean {
  const [next, previous] = [withLeadStyle(values), withLeadStyle(agent)]
  return answerFields.some((field) => !isSame(next[field], previous[field]))
}

/** Leads saved without style settings have the defaults that the form shows. */
function withLeadStyle<Saved extends Pick<NewAgent, 'agent_class' | 'config'>>(agent: Saved): Saved {
  return { ...agent, config: withLeadAppearance(agent.agent_class ?? 'Standard', agent.config ?? {}) }
}

/** Compares as JSON regardless of key order; missing equals undefined. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other))
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, nested]) => [key, sortKeys(nested)]),
  )
}
