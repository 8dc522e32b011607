import { completeSettings } from '#contract/agents/model-settings.ts'
import { getProviderName, isProvider } from '#contract/providers/registry.ts'
import type { ModelFailureCode } from '#server/models/model-failure.ts'
import { ModelFailure } from '#server/models/run-model.ts'
import { chooseRunKey } from '../model-lists/choose-run-key.ts'
import type { AgentAtWork } from './agent-at-work.ts'
import { visitorSettings } from './visitor-limits.ts'

/** Another model can help; it cannot where the text itself is refused or the answer broke off in the middle. */
const unavailable: readonly ModelFailureCode[] = [
  'provider-unreachable',
  'provider-timeout',
  'provider-busy',
  'provider-quota',
  'provider-failed',
  'provider-protocol',
  'provider-not-found',
  'key-rejected',
  'model-not-found',
]

/**
 * Puts the agent's second model in the place of its first for the rest of the run, after `error` of the first.
 *
 * @returns false where there is none, it is in use already, or nobody has a key for it
 */
export async function switchToFallback(work: AgentAtWork, error: unknown): Promise<boolean> {
  const { agent, services, root, run, trace } = work
  const fallback = agent.config.fallback_model
  if (!fallback || !(error instanceof ModelFailure) || !unavailable.includes(error.code)) return false
  const isInUse = work.settings.model === fallback.model && agent.model_provider === fallback.provider
  if (isInUse || !isProvider(fallback.provider) || fallback.provider === 'elevenlabs') return false
  const key = await chooseRunKey(services, { personId: run.personId, agent: root }, fallback)
  if (key.source === 'mock') return false
  const { temperature, max_tokens, retry } = agent.model_settings
  const settings = completeSettings(fallback.provider, { model: fallback.model, temperature, max_tokens, retry })
  const before = work.settings.model
  work.agent = { ...agent, model_provider: fallback.provider, model_settings: settings }
  work.settings = run.personId ? settings : visitorSettings(work.agent)
  work.key = key
  run.answeredBy = { provider: fallback.provider, model: fallback.model }
  trace.remark(
    `${before} was unavailable (${error.code}), so ${fallback.model} of ${getProviderName(fallback.provider)} answered in its place.`,
  )
  return true
}
