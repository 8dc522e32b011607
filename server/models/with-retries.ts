import type { ModelSettings } from '#contract/agents/model-settings.ts'
import { type Circuit, getRestMs, reportDown, reportUp } from './breaker.ts'
import { Exchange } from './exchange.ts'
import { failureSentence } from './failure-words.ts'
import { ModelFailure } from './model-failure.ts'
import type { ModelLimits } from './model-limits.ts'
import type { Credential, MayPayAgain, ModelEvent, ModelRuntime } from './model-request.ts'
import { getBaseUrl } from './provider-address.ts'
import type { ProviderDefinition } from './providers/provider.ts'
import { planRetry } from './retry-plan.ts'
import { type FailureContext, ownFailure, requireSendableKey } from './translate-failure.ts'

export interface RetriedCall {
  provider: ProviderDefinition
  model: string
  context: FailureContext
  credential: Credential
  retry: ModelSettings['retry']
  signal: AbortSignal
  limits: ModelLimits
  mayPayAgain?: MayPayAgain | undefined
  /** What another attempt does differently after a refusal, in words; undefined where it could do nothing. */
  adapt?: (exchange: Exchange) => string | undefined
}

/** Fields of one request that may turn out to be refused, one after the other. */
const maxAdaptations = 8

/**
 * Makes attempts until one succeeds, a failure cannot be helped by another try, or its answer has begun: a second
 * must never follow half of a first one, and what a provider wrote of tool calls is paid for like words. An answer that
 * was lost before its first word is paid for as well: another attempt then needs `mayPayAgain`.
 *
 * @throws ModelFailure with `attempts` and `lostAnswers` filled in.
 */
export async function* withRetries(
  runtime: ModelRuntime,
  call: RetriedCall,
  attempt: (exchange: Exchange) => AsyncGenerator<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  const { provider, model, credential, context, retry, signal, limits, mayPayAgain, adapt } = call
  requireSendableKey(context, credential.key)
  const startedAt = runtime.now()
  const circuit = { provider: provider.id, address: getBaseUrl(provider, credential), key: credential.key, model }
  const restMs = getRestMs(circuit, startedAt)
  if (restMs > 0) throw ownFailure(context, 'provider-unreachable', { retryAfterMs: restMs })

  let lostAnswers = 0
  let adaptations = 0
  for (let number = 1; ; number += 1) {
    if (signal.aborted) throw stoppedBetween(context, { attempts: number - 1, lostAnswers })
    yield { type: 'attempt', number }
    let delivered = false
    const wallLeftMs = limits.wallMs - (runtime.now() - startedAt)
    const exchange = new Exchange(context, limits, { wallLeftMs, signal })
    try {
      try {
        for await (const event of attempt(exchange)) {
          if (event.type === 'text') delivered = true
          if (event.type === 'finish') reportUp(circuit)
          yield event.type === 'finish' && lostAnswers > 0 ? { ...event, lostAnswers } : event
        }
      } finally {
        exchange.close()
      }
      return
    } catch (error) {
      const { answerBegan } = exchange
      const counts = { attempts: number, lostAnswers, answerBegan }
      const failure = Object.assign(asFailure(error, context), counts)
      report(failure, circuit, runtime.now())
      if (failure.code === 'stopped') throw failure
      if (delivered || exchange.toolCalls.begun) throw Object.assign(interrupted(failure, context), counts)
      const lesson = adaptations < maxAdaptations ? adapt?.(exchange) : undefined
      if (lesson !== undefined) {
        adaptations += 1
        yield { type: 'note', text: lesson }
        continue
      }
      const elapsedMs = runtime.now() - startedAt
      const plan = planRetry({
        failure,
        attempt: number - adaptations,
        retry,
        elapsedMs,
        wallMs: limits.wallMs,
        random: runtime.random(),
      })
      if (!plan.retry) throw failure
      if (answerBegan && mayPayAgain && !(await mayPayAgain())) throw failure
      if (answerBegan) lostAnswers += 1
      yield { type: 'retry', afterMs: plan.afterMs, failure }
      await rest(runtime, plan.afterMs, signal)
    }
  }
}

/** An aborted wait is noticed by the loop, whichever way the sleep ends. */
async function rest(runtime: ModelRuntime, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await runtime.sleep(ms, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function asFailure(error: unknown, context: FailureContext): ModelFailure {
  return error instanceof ModelFailure ? error : ownFailure(context, 'provider-protocol')
}

/** Whatever was sent before is over, so nothing is under way that a provider would charge for. */
function stoppedBetween(context: FailureContext, counts: Pick<ModelFailure, 'attempts' | 'lostAnswers'>): ModelFailure {
  return Object.assign(ownFailure(context, 'stopped'), counts, { inFlight: false })
}

/** Half an answer was delivered before it failed. */
function interrupted({ status }: ModelFailure, context: FailureContext): ModelFailure {
  const message = failureSentence('interrupted', context.provider.name)
  return ownFailure(context, 'interrupted', { status, message })
}

/** Only what says something about the provider itself counts; a stop or a slow answer does not. */
function report({ code, status = 0 }: ModelFailure, circuit: Circuit, now: number): void {
  if (code === 'provider-unreachable' || status >= 500) reportDown(circuit, now)
  else if (status > 0) reportUp(circuit)
}
