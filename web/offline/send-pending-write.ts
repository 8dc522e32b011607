import { call } from '#web/api.ts'
import type { AnyEndpoint, UntypedCallInput } from '#web/api-types.ts'
import type { PendingWrite } from './pending-write.ts'

/** @returns the response of the server */
export function sendPendingWrite(write: PendingWrite, bytes: ArrayBuffer | undefined): Promise<unknown> {
  const send = call as (endpoint: AnyEndpoint, input: UntypedCallInput) => Promise<unknown>
  return send(toEndpoint(write.endpoint), toCallInput(write, bytes))
}

function toCallInput(
  { params, query, body, ifMatch, id, mime, endpoint }: PendingWrite,
  bytes: ArrayBuffer | undefined,
): UntypedCallInput {
  return {
    params,
    query,
    ...(body && { body }),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(endpoint.creates && { idempotencyKey: id }),
    ...(mime !== undefined && bytes && { bytes: new Blob([bytes], { type: mime }) }),
  }
}

/** The stored endpoint has no schemas; its input was validated when written. */
function toEndpoint({ method, path, when, answer }: PendingWrite['endpoint']): AnyEndpoint {
  return { method, path, match: when, responseFormat: answer, response: undefined }
}
