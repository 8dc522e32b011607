import type { ModelSettings } from '#contract/agents/model-settings.ts'
import type { ModelFailure } from './model-failure.ts'

const maxWaitMs = 30_000
const jitterRatio = 0.25

export interface RetryInput {
  failure: Pick<ModelFailure, 'retryable' | 'retryAfterMs'>
  attempt: number
  retry: ModelSettings['retry']
  elapsedMs: number
  wallMs: number
  random: number
}

export type RetryPlan = { retry: true; afterMs: number } | { retry: false }

/** Attempts = 1 + max_retries; wait = max(Retry-After, delay·2^n) ±25 %, at least Retry-After, at most 30 s. */
export function planRetry({ failure, attempt, retry, elapsedMs, wallMs, random }: RetryInput): RetryPlan {
  const requestedMs = failure.retryAfterMs ?? 0
  if (!failure.retryable || attempt > retry.max_retries || requestedMs > maxWaitMs) return { retry: false }
  const baseMs = Math.max(requestedMs, retry.retry_delay_ms * 2 ** (attempt - 1))
  const jitteredMs = baseMs * (1 - jitterRatio + 2 * jitterRatio * random)
  const afterMs = Math.round(Math.min(maxWaitMs, Math.max(requestedMs, jitteredMs)))
  return elapsedMs + afterMs < wallMs ? { retry: true, afterMs } : { retry: false }
}
