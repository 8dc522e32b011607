import type { Agent } from '#contract/agents/agents.ts'
import type { Creation } from '#web/offline/use-key-of-create.ts'
import { type AgentFormValues, newAgentValues } from './agent-form-values.ts'
import { type KeptDraft, keptDraft } from './kept-draft.ts'

/** Form input and the revision it was based on. */
export interface AgentDraft {
  values: AgentFormValues
  rev: number | null
  slugTyped: boolean
  /** The last create, whose response may be lost. */
  creation?: Creation | undefined
}

export function agentDraft(agent: Agent | null, storage?: () => Storage): KeptDraft<AgentDraft> {
  return keptDraft(agent ? `agent-${agent.id}` : 'new-agent', isDraft, storage)
}

/** Older drafts may miss fields, but existing ones must have the right type. */
function isDraft(value: unknown): value is AgentDraft {
  const values = (value as AgentDraft | null)?.values
  if (!values || typeof values !== 'object') return false
  return Object.entries(newAgentValues).every(([field, usual]) => {
    const given = (values as unknown as Record<string, unknown>)[field]
    // JSON turns NaN, an empty number field, into null.
    if (typeof usual === 'number' || usual === null) return typeof given === 'number' || given === null
    return Array.isArray(usual) ? Array.isArray(given) : typeof given === typeof usual
  })
}

/** Restores null to NaN for empty number fields. */
export function valuesOf(draft: AgentDraft): AgentFormValues {
  const entries = Object.entries(draft.values).map(([field, value]) => {
    const usual = newAgentValues[field as keyof AgentFormValues]
    return [field, value ?? (usual === null ? null : Number.NaN)]
  })
  return Object.fromEntries(entries) as AgentFormValues
}
