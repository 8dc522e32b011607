import type { ModelSettings } from '#contract/agents/model-settings.ts'
import type { ModelFailure } from './model-failure.ts'

/** Of a single wait. A provider that requests a longer one is not retried. */
const maxWaitMs = 30_000
const jitter = 0.25

export interface RetryInput {
  failure: Pick<ModelFailure, 'retryable' | 'retryAfterMs'>
  /** The attempt that just failed, counted from 1. */
  attempt: number
  retry: ModelSettings['retry']
  /** Milliseconds since the run began. */
  elapsedMs: number
  wallMs: number
  /** At least 0 and below 1. */
  random: number
}

export type RetryPlan = { retry: true; afterMs: number } | { retry: false }

/** Attempts = 1 + max_retries; wait = max(Retry-After, delay·2^n) ±25 %, never sooner than Retry-After, at most 30 s. */
export function planRetry({ failure, attempt, retry, elapsedMs, wallMs, random }: RetryInput): RetryPlan {
  const requestedMs = failure.retryAfterMs ?? 0
  if (!failure.retryable || attempt > retry.max_retries || requestedMs > maxWaitMs) return { retry: false }
  const base = Math.max(requestedMs, retry.retry_delay_ms * 2 ** (attempt - 1))
  const jittered = base * (1 - jitter + 2 * jitter * random)
  const afterMs = Math.round(Math.min(maxWaitMs, Math.max(requestedMs, jittered)))
  return elapsedMs + afterMs < wallMs ? { retry: true, afterMs } : { retry: false }
}
