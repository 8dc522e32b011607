import { keepVerdict } from '#server/agents/runs/ask-model.ts'
import { holdBudget } from '#server/agents/usage/hold-budget.ts'
import { endingOf } from '#server/agents/usage/settlement.ts'
import { withRetries } from '#server/agents/usage/with-retries.ts'
import { embed } from '#server/models/embed.ts'
import { estimateTokens } from '#server/models/estimate-tokens.ts'
import { ModelFailure } from '#server/models/model-failure.ts'
import type { ModelLimits } from '#server/models/model-limits.ts'
import type { ModelUsage } from '#server/models/model-request.ts'
import type { Services } from '#server/services.ts'
import type { ProvidersChoice } from './embedding-model.ts'
import { normalised, type Vector } from './vectors.ts'

/** Agent id of embedding calls in the ledger; there is no such agent. */
const embeddingAgent = 'embeddings'

export interface Asking {
  personId: string
  /** Groups ledger entries: the id of the job or of one search. */
  runId: string
  choice: ProvidersChoice
  texts: readonly string[]
  signal: AbortSignal
  retries: number
  limits?: Partial<ModelLimits>
}

/**
 * Embeds texts with the person's provider, within budgets and recorded in the ledger. Truncates long texts.
 * @throws Problem when a budget is exhausted or the key cannot be opened; ModelFailure
 */
export async function askEmbeddings(services: Services, asking: Asking): Promise<(Vector | undefined)[]> {
  const { personId, runId, choice, signal } = asking
  if ('refused' in choice) throw choice.refused
  const { provider, model, key } = choice
  const texts = asking.texts.map((text) => text.slice(0, choice.mostCharacters).toWellFormed())
  const hold = await holdBudget(services, {
    runId,
    agent: { id: embeddingAgent, owner_id: null, visitor_daily_micros: null },
    personId,
    visitorId: null,
    provider,
    model,
    key,
    inputTokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    maxOutputTokens: 0,
  })
  const startedAt = performance.now()
  const settle = (usage: ModelUsage, ending: ReturnType<typeof endingOf>) => {
    const outcome = { usage: { ...usage, cost_usd: null }, ...ending, durationMs: performance.now() - startedAt }
    return withRetries(services, () => services.db.batch(hold.settle(outcome)))
  }
  const { vectors, usage, lostAnswers } = await embed(services.modelRuntime, {
    ...{ provider, model, dimensions: choice.dimensions, shortened: choice.shortened },
    ...{ texts, signal, credential: { key: key.key, baseUrl: key.baseUrl } },
    retry: { max_retries: asking.retries, retry_delay_ms: 1_000 },
    mayPayAgain: hold.payAgain,
    ...(asking.limits && { limits: asking.limits }),
  }).catch(async (error: unknown) => {
    await settle({ input_tokens: 0, output_tokens: 0, estimated: true }, endingOf(error))
    if (error instanceof ModelFailure) await keepVerdict(services, { provider, key }, error)
    throw error
  })
  await settle(usage, { failure: null, lostAnswers })
  await keepVerdict(services, { provider, key }, 'works')
  return vectors.map(normalised)
}
