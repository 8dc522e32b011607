import type { ModelSettings } from '#contract/agents/model-settings.ts'
import type { Exchange } from './http-exchange.ts'
import { getLimits, type ModelLimits } from './model-limits.ts'
import type { Credential, MayPayAgain, ModelEvent, ModelRuntime, ModelUsage } from './model-request.ts'
import type { ProviderDefinition } from './providers/provider.ts'
import { createFailure, type FailureContext } from './translate-failure.ts'
import { withRetries } from './with-retries.ts'

export interface WholeRequest {
  model: string
  credential: Credential
  retry: ModelSettings['retry']
  signal: AbortSignal
  limits?: Partial<ModelLimits>
  mayPayAgain?: MayPayAgain
}

/**
 * Requests a non-streamed answer with the limits and retries of `runModel`. `onEvent` receives `attempt`, `retry` and
 * `finish`. @throws ModelFailure
 */
export async function requestWhole<Answer>(
  runtime: ModelRuntime,
  request: WholeRequest & { provider: ProviderDefinition; context: FailureContext },
  attempt: (exchange: Exchange) => Promise<{ answer: Answer; usage: ModelUsage }>,
  onEvent: (event: ModelEvent) => void = () => undefined,
): Promise<Answer> {
  const { provider, context, model, credential, retry, signal, mayPayAgain } = request
  const limits = { ...getLimits(runtime, credential, { isWhole: true }), ...request.limits }
  let answer: Answer | undefined
  const events = withRetries(
    runtime,
    { provider, context, model, credential, retry, signal, limits, mayPayAgain },
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
