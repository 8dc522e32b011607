import type { Agent } from '#contract/agents/agents.ts'
import type { Creation } from '#web/offline/use-key-of-create.ts'
import { type AgentFormValues, newAgentValues } from './agent-form-values.ts'
import { type KeptDraft, keptDraft } from './kept-draft.ts'

/** What was typed, and the version of the agent it was typed over. */
export interface AgentDraft {
  values: AgentFormValues
  rev: number | null
  slugTyped: boolean
  /** The create that was sent last, whose answer may be lost. */
  creation?: Creation | undefined
}

export function agentDraft(agent: Agent | null, storage?: () => Storage): KeptDraft<AgentDraft> {
  return keptDraft(agent ? `agent-${agent.id}` : 'new-agent', isDraft, storage)
}

/** A draft from an older version of the app may miss boxes; it must at least have the right kind of those it has. */
function isDraft(value: unknown): value is AgentDraft {
  const values = (value as AgentDraft | null)?.values
  if (!values || typeof values !== 'object') return false
  return Object.entries(newAgentValues).every(([field, usual]) => {
    const given = (values as unknown as Record<string, unknown>)[field]
    // NaN, an emptied number box, is null once written down.
    if (typeof usual === 'number' || usual === null) return typeof given === 'number' || given === null
    return Array.isArray(usual) ? Array.isArray(given) : typeof given === typeof usual
  })
}

/** Emptied number boxes are empty again, not zero. */
export function valuesOf(draft: AgentDraft): AgentFormValues {
  const entries = Object.entries(draft.values).map(([field, value]) => {
    const usual = newAgentValues[field as keyof AgentFormValues]
    return [field, value ?? (usual === null ? null : Number.NaN)]
  })
  return Object.fromEntries(entries) as AgentFormValues
}
