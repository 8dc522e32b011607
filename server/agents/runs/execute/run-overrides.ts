import { completeSettings } from '#contract/agents/model-settings.ts'
import type { RunOverrides } from '#contract/agents/runs.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { canEdit } from '../../agent-access.ts'
import type { AgentRow } from '../../agent-view.ts'
import type { ChatTurnInput } from '../../chat/turns.ts'
import type { Runner } from './runner.ts'

/** Applies "run again with changes". @throws Problem if the runner can't edit the agent, and within a session */
export function applyOverrides(
  agent: AgentRow,
  runner: Runner,
  params: { overrides?: RunOverrides | null | undefined } & Partial<ChatTurnInput>,
): AgentRow {
  const { overrides } = params
  if (!overrides) return agent
  if (!runner.person || !canEdit(agent, runner.person))
    throw new Problem('forbidden', { message: 'Only people who can edit this agent can run it with changes.' })
  if (params.sessionId || params.regenerateOf || params.editOf)
    throw badField('overrides', 'A chat always uses the saved agent.')
  const provider = overrides.model_provider ?? agent.model_provider
  const baseSettings = provider === agent.model_provider ? agent.model_settings : completeSettings(provider, undefined)
  return {
    ...agent,
    purpose: overrides.purpose ?? agent.purpose,
    model_provider: provider,
    model_settings: completeSettings(provider, { ...baseSettings, ...overrides.model_settings }),
    // Without memory, the run starts no chat session.
    memory_enabled: false,
  }
}
