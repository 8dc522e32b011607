import type { Agent } from '#contract/agents/agents.ts'
import type { Creation } from '#web/offline/create-client-id.ts'
import { type AgentFormValues, newAgentValues } from './agent-form-values.ts'
import { createStoredDraft, type StoredDraft } from './stored-draft.ts'

export interface AgentDraft {
  values: AgentFormValues
  rev: number | null
  slugTyped: boolean
  /** The last create, whose response may be lost. */
  creation?: Creation | undefined
}

export function createAgentDraft(agent: Agent | null, storage?: () => Storage): StoredDraft<AgentDraft> {
  return createStoredDraft(agent ? `agent-${agent.id}` : 'new-agent', isAgentDraft, storage)
}

/** Older drafts may miss fields, but existing ones must have the right type. */
function isAgentDraft(value: unknown): value is AgentDraft {
  const values = (value as AgentDraft | null)?.values
  if (!values || typeof values !== 'object') return false
  return Object.entries(newAgentValues).every(([field, defaultValue]) => {
    const storedValue = (values as unknown as Record<string, unknown>)[field]
    // JSON turns NaN, an empty number field, into null.
    if (typeof defaultValue === 'number' || defaultValue === null)
      return typeof storedValue === 'number' || storedValue === null
    return Array.isArray(defaultValue) ? Array.isArray(storedValue) : typeof storedValue === typeof defaultValue
  })
}

export function getDraftValues(draft: AgentDraft): AgentFormValues {
  const entries = Object.entries(draft.values).map(([field, value]) => {
    const defaultValue = newAgentValues[field as keyof AgentFormValues]
    return [field, value ?? (defaultValue === null ? null : Number.NaN)]
  })
  return Object.fromEntries(entries) as AgentFormValues
}
