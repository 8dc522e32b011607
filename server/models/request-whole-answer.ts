import type { ModelSettings } from '#contract/agents/model-settings.ts'
import { getLimits, type ModelLimits } from '../settings/model-limits.ts'
import type { Exchange } from './http-exchange.ts'
import type { Credential, ModelEvent, ModelRuntime, ModelUsage, RetryBudgetCheck } from './model-request.ts'
import type { ProviderDefinition } from './providers/provider.ts'
import { createFailure, type FailureContext } from './translate-failure.ts'
import { streamWithRetries } from './with-retries.ts'

export interface WholeAnswerRequest {
  model: string
  credential: Credential
  retry: ModelSettings['retry']
  signal: AbortSignal
  limits?: Partial<ModelLimits>
  reserveRetry?: RetryBudgetCheck
}

/** `onEvent` receives `attempt`, `retry` and `finish`. @throws ModelFailure */
export async function requestWholeAnswer<Answer>(
  runtime: ModelRuntime,
  request: WholeAnswerRequest & { provider: ProviderDefinition; context: FailureContext },
  attempt: (exchange: Exchange) => Promise<{ answer: Answer; usage: ModelUsage }>,
  onEvent: (event: ModelEvent) => void = () => undefined,
): Promise<Answer> {
  const { provider, context, model, credential, retry, signal, reserveRetry } = request
  const limits = { ...getLimits(runtime, credential, { isWhole: true }), ...request.limits }
  let answer: Answer | undefined
  const events = streamWithRetries(
    runtime,
    { provider, context, model, credential, retry, signal, limits, reserveRetry },
    async function* (exchange) {
      const result = await attempt(exchange)
      answer = result.answer
      yield { type: 'finish', reason: 'stop', usage: result.usage }
    },
  )
  for await (const event of events) onEvent(event)
  if (answer === undefined) throw createFailure(context, 'provider-protocol')
  return answer
}
