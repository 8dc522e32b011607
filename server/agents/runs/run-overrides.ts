import { completeSettings } from '#contract/agents/model-settings.ts'
import type { RunOverrides } from '#contract/agents/runs.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { mayEdit } from '../agent-access.ts'
import type { AgentRow } from '../agent-row.ts'
import type { TurnWanted } from '../chat/turns.ts'
import type { Runner } from './runner.ts'

/** The agent as one run has it, "run again with changes". @throws Problem for who may not edit it, and within a session. */
export function withOverrides(
  agent: AgentRow,
  runner: Runner,
  given: { overrides?: RunOverrides | null | undefined } & Partial<TurnWanted>,
): AgentRow {
  const { overrides } = given
  if (!overrides) return agent
  if (!runner.person || !mayEdit(agent, runner.person))
    throw new Problem('forbidden', { message: 'Only who may edit this agent can run it with changes.' })
  if (given.sessionId || given.regenerateOf || given.editOf)
    throw badField('overrides', 'A chat goes on with the agent as it is saved.')
  const provider = overrides.model_provider ?? agent.model_provider
  const before = provider === agent.model_provider ? agent.model_settings : completeSettings(provider, undefined)
  return {
    ...agent,
    purpose: overrides.purpose ?? agent.purpose,
    model_provider: provider,
    model_settings: completeSettings(provider, { ...before, ...overrides.model_settings }),
    // A trial leaves no session behind.
    memory_enabled: false,
  }
}
