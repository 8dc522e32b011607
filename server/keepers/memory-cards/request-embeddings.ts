import { saveKeyVerdict } from '#server/agents/runs/execute/call-model.ts'
import { reserveBudget } from '#server/agents/usage/reserve-budget.ts'
import { retryWhileBusy, toCallOutcome } from '#server/agents/usage/settlement.ts'
import { embed } from '#server/models/embed.ts'
import { estimateTokens } from '#server/models/estimate-tokens.ts'
import { ModelFailure } from '#server/models/model-failure.ts'
import type { ModelUsage } from '#server/models/model-request.ts'
import type { Services } from '#server/services.ts'
import type { ModelLimits } from '#server/settings/model-limits.ts'
import type { ProviderChoice } from './embedding-model.ts'
import { normalizeVector, type Vector } from './vectors.ts'

/** Agent id of embedding calls in the ledger; there is no such agent. */
const embeddingAgent = 'embeddings'

interface PersonEmbeddingRequest {
  personId: string
  runId: string
  choice: ProviderChoice
  texts: readonly string[]
  signal: AbortSignal
  retries: number
  limits?: Partial<ModelLimits>
}

/** Truncates long texts. @throws Problem when a budget is exhausted or the key cannot be opened; ModelFailure */
export async function requestEmbeddings(
  services: Services,
  request: PersonEmbeddingRequest,
): Promise<(Vector | undefined)[]> {
  const { personId, runId, choice, signal } = request
  if ('refused' in choice) throw choice.refused
  const { provider, model, key } = choice
  const texts = request.texts.map((text) => text.slice(0, choice.maxCharacters).toWellFormed())
  const reservation = await reserveBudget(services, {
    runId,
    agent: { id: embeddingAgent, owner_id: null, visitor_daily_micros: null },
    personId,
    visitorId: null,
    provider,
    model,
    key,
    inputTokens: texts.reduce((total, text) => total + estimateTokens(text), 0),
    maxOutputTokens: 0,
  })
  const startedAt = performance.now()
  const settle = (usage: ModelUsage, outcomeDetails: ReturnType<typeof toCallOutcome>) => {
    const outcome = {
      usage: { ...usage, cost_usd: null },
      ...outcomeDetails,
      durationMs: performance.now() - startedAt,
    }
    return retryWhileBusy(services, () => services.db.batch(reservation.settle(outcome)))
  }
  const { vectors, usage, lostResponseCount } = await embed(services.modelRuntime, {
    provider,
    model,
    dimensions: choice.dimensions,
    sendDimensions: choice.canShorten,
    texts,
    signal,
    credential: { key: key.key, baseUrl: key.baseUrl },
    retry: { max_retries: request.retries, retry_delay_ms: 1_000 },
    reserveRetry: reservation.reserveRetry,
    ...(request.limits && { limits: request.limits }),
  }).catch(async (error: unknown) => {
    await settle({ input_tokens: 0, output_tokens: 0, estimated: true }, toCallOutcome(error))
    if (error instanceof ModelFailure) await saveKeyVerdict(services, { provider, key }, error)
    throw error
  })
  await settle(usage, { failure: null, lostResponseCount })
  await saveKeyVerdict(services, { provider, key }, 'works')
  return vectors.map(normalizeVector)
}
