import type { MemoryItem } from '#contract/agents/runs.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import { contextTextFor } from '../intent/context-texts.ts'

/** What an agent is given to know beside its purpose, by its context scope. */
export interface AgentContext {
  /** A part of the system prompt; empty where there is nothing. */
  text: string
  memory: MemoryItem[]
  /** What the trace says of it; `null` where the scope puts nothing in. */
  told: string | null
}

type OperatorsText = Parameters<typeof contextTextFor>[1]
const isOperatorsText = (scope: string): scope is OperatorsText =>
  ['codebase', 'platform_wide', 'system'].includes(scope)
const nothing: AgentContext = { text: '', memory: [], told: null }

export async function contextFor(services: Services, agent: AgentRow): Promise<AgentContext> {
  const scope = agent.context_scope
  if (scope === 'keeper') return { ...nothing, told: 'Nothing was put in: whoever runs this has no keeper yet.' }
  if (!isOperatorsText(scope)) return nothing
  const body = (await contextTextFor(services, scope)).trim()
  if (!body) return { ...nothing, told: 'Nothing was put in: no text is set for this scope.' }
  return {
    text: `What you should know, from who runs this server:\n\n${body}`,
    memory: [{ entity: 'context', id: scope, title: `Context: ${scope}`, text: body }],
    told: `The text for the scope ${scope}: ${body.length.toLocaleString('en-US')} characters.`,
  }
}
