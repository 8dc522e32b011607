import { ModelFailure } from './model-failure.ts'
import type { ModelEvent, ModelRequest, ModelRuntime } from './model-request.ts'

export { ModelFailure } from './model-failure.ts'
export type { ModelFailureCode } from './model-failure.ts'
export type { ModelLimits } from './model-limits.ts'
export type { Credential, FinishReason, ModelEvent, ModelRequest, ModelRuntime, ModelUsage } from './model-request.ts'

/**
 * Asks a provider for an answer and retries where a retry can help.
 *
 * Yields `attempt` before each request (1 + max_retries at most), `note` when a setting had to be changed,
 * `text` as it arrives, `retry` before each wait, and ends with exactly one `finish`.
 * Ending the iteration early (`return()`) aborts the request.
 *
 * @throws ModelFailure instead of `finish`, with the text so far in `partialText`; 'stopped' when `signal` aborted.
 */
export async function* runModel(_runtime: ModelRuntime, request: ModelRequest): AsyncGenerator<ModelEvent> {
  yield { type: 'attempt', number: 1 }
  throw new ModelFailure({ code: 'provider-failed', message: `${request.provider} cannot be called yet.`, retryable: false })
}
