import type { ModelSettings } from '#contract/agents/model-settings.ts'
import type { ModelLimits } from '../settings/model-limits.ts'
import { type Circuit, getCooldownMs, reportFailure, reportSuccess } from './breaker.ts'
import { formatFailure } from './failure-text.ts'
import { Exchange } from './http-exchange.ts'
import { ModelFailure } from './model-failure.ts'
import type { Credential, ModelEvent, ModelRuntime, RetryBudgetCheck } from './model-request.ts'
import { getBaseUrl } from './provider-address.ts'
import type { ProviderDefinition } from './providers/provider.ts'
import { createFailure, type FailureContext, requireSendableKey } from './translate-failure.ts'

export interface RetriedCall {
  provider: ProviderDefinition
  model: string
  context: FailureContext
  credential: Credential
  retry: ModelSettings['retry']
  signal: AbortSignal
  limits: ModelLimits
  reserveRetry?: RetryBudgetCheck | undefined
  adapt?: (exchange: Exchange) => string | undefined
}

/** Fields of one request can be refused one after the other. */
const maxAdaptations = 8

/** A lost answer costs money, so another attempt needs `reserveRetry`. @throws ModelFailure with `attempts` and `lostResponseCount` */
export async function* streamWithRetries(
  runtime: ModelRuntime,
  call: RetriedCall,
  attempt: (exchange: Exchange) => AsyncGenerator<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  const { provider, model, credential, context, retry, signal, limits, reserveRetry, adapt } = call
  requireSendableKey(context, credential.key)
  const startedAt = runtime.now()
  const circuit = { provider: provider.id, address: getBaseUrl(provider, credential), key: credential.key, model }
  const cooldownMs = getCooldownMs(circuit, startedAt)
  if (cooldownMs > 0) throw createFailure(context, 'provider-unreachable', { retryAfterMs: cooldownMs })

  let lostResponseCount = 0
  let adaptationCount = 0
  for (let attemptNumber = 1; ; attemptNumber += 1) {
    if (signal.aborted) throw createStoppedFailure(context, { attempts: attemptNumber - 1, lostResponseCount })
    yield { type: 'attempt', number: attemptNumber }
    let hasDelivered = false
    const remainingMs = limits.noProgressMs - (runtime.now() - startedAt)
    const exchange = new Exchange(context, limits, { noProgressMs: remainingMs, signal })
    try {
      try {
        for await (const event of attempt(exchange)) {
          if (event.type === 'text') hasDelivered = true
          if (event.type === 'finish') reportSuccess(circuit)
          yield event.type === 'finish' && lostResponseCount > 0 ? { ...event, lostResponseCount } : event
        }
      } finally {
        exchange.close()
      }
      return
    } catch (error) {
      const { hasAnswerStarted } = exchange
      const failureCounts = {
        attempts: attemptNumber,
        lostResponseCount,
        hasAnswerStarted,
      } satisfies Partial<ModelFailure>
      const failure = Object.assign(toModelFailure(error, context), failureCounts)
      reportToBreaker(failure, circuit, runtime.now())
      if (failure.code === 'stopped') throw failure
      if (hasDelivered || exchange.toolCalls.hasCalls)
        throw Object.assign(createInterruptedFailure(failure, context), failureCounts)
      const lessonNote = adaptationCount < maxAdaptations ? adapt?.(exchange) : undefined
      if (lessonNote !== undefined) {
        adaptationCount += 1
        yield { type: 'note', text: lessonNote }
        continue
      }
      const elapsedMs = runtime.now() - startedAt
      const plan = planRetry({
        failure,
        attempt: attemptNumber - adaptationCount,
        retry,
        elapsedMs,
        noProgressMs: limits.noProgressMs,
        random: runtime.random(),
      })
      if (!plan.shouldRetry) throw failure
      if (hasAnswerStarted && reserveRetry && !(await reserveRetry())) throw failure
      if (hasAnswerStarted) lostResponseCount += 1
      yield { type: 'retry', afterMs: plan.afterMs, failure }
      await waitUnlessAborted(runtime, plan.afterMs, signal)
    }
  }
}

async function waitUnlessAborted(runtime: ModelRuntime, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await runtime.sleep(ms, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function toModelFailure(error: unknown, context: FailureContext): ModelFailure {
  return error instanceof ModelFailure ? error : createFailure(context, 'provider-protocol')
}

function createStoppedFailure(
  context: FailureContext,
  failureCounts: Pick<ModelFailure, 'attempts' | 'lostResponseCount'>,
): ModelFailure {
  return Object.assign(createFailure(context, 'stopped'), failureCounts, { wasInFlight: false })
}

function createInterruptedFailure({ status }: ModelFailure, context: FailureContext): ModelFailure {
  const message = formatFailure('interrupted', context.provider.name)
  return createFailure(context, 'interrupted', { status, message })
}

/** Only failures of the provider count, not stops or slow answers. */
function reportToBreaker({ code, status = 0 }: ModelFailure, circuit: Circuit, now: number): void {
  if (code === 'provider-unreachable' || status >= 500) reportFailure(circuit, now)
  else if (status > 0) reportSuccess(circuit)
}

const maxWaitMs = 30_000
const jitterRatio = 0.25

export interface RetryInput {
  failure: Pick<ModelFailure, 'retryable' | 'retryAfterMs'>
  attempt: number
  retry: ModelSettings['retry']
  elapsedMs: number
  noProgressMs: number
  random: number
}

type RetryPlan = { shouldRetry: true; afterMs: number } | { shouldRetry: false }

/** Attempts = 1 + max_retries; wait = max(Retry-After, delay·2^n) ±25 %, at least Retry-After, at most 30 s. */
export function planRetry({ failure, attempt, retry, elapsedMs, noProgressMs, random }: RetryInput): RetryPlan {
  const requestedMs = failure.retryAfterMs ?? 0
  if (!failure.retryable || attempt > retry.max_retries || requestedMs > maxWaitMs) return { shouldRetry: false }
  const baseMs = Math.max(requestedMs, retry.retry_delay_ms * 2 ** (attempt - 1))
  const jitteredMs = baseMs * (1 - jitterRatio + 2 * jitterRatio * random)
  const afterMs = Math.round(Math.min(maxWaitMs, Math.max(requestedMs, jitteredMs)))
  return elapsedMs + afterMs < noProgressMs ? { shouldRetry: true, afterMs } : { shouldRetry: false }
}
