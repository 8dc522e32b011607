import type { Media } from '#contract/keepers/media.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { type CallResult, call } from '#web/api/api.ts'
import { getReachability } from '#web/api/api-journal.ts'
import type { AnyEndpoint, CallInput, UntypedCallInput } from '#web/api/api-types.ts'
import { createClientId } from './create-client-id.ts'
import { createPendingWrite, isServerUnreachable, type WriteContext, withTimestamps } from './pending-write.ts'
import { requirePageOwner } from './signed-in-user.ts'
import { getCurrentQueue } from './write-queue.ts'

export type { WriteContext } from './pending-write.ts'

/** `queued`: stored in this browser, because the server couldn't be reached or earlier writes wait. */
export type SendResult<Data> = { state: 'sent'; answer: Data } | { state: 'queued' }

/** Creates need an `id`. @throws ApiError on refusal, StoreClosedError if someone else signed in; queues nothing then */
export async function sendOrQueue<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  context: WriteContext,
): Promise<SendResult<CallResult<E>>> {
  const requestInput = input as UntypedCallInput
  const write = createPendingWrite(endpoint, requestInput, context)
  const queue = isDemoKeeper(context.keeperId) ? undefined : getCurrentQueue()
  await queue?.load()
  requirePageOwner()
  if (queue && (queue.mustWait(write) || getReachability() !== 'reached')) {
    await queue.enqueue(withTimestamps(write), requestInput.bytes)
    if (getReachability() === 'reached') void queue.flush()
    return { state: 'queued' }
  }
  const ifMatch = queue ? queue.resolveRevision(write.thing, requestInput.ifMatch) : requestInput.ifMatch
  const options = {
    ...(ifMatch !== undefined && { ifMatch }),
    ...(endpoint.supportsIdempotencyKey && { idempotencyKey: write.id }),
  }
  try {
    return { state: 'sent', answer: await call(endpoint, ...([{ ...input, ...options }] as never)) }
  } catch (reason) {
    if (!queue || !isServerUnreachable(reason)) throw reason
    const attemptedWrite = withTimestamps({
      ...write,
      ...options,
      tries: 1,
      ...(write.body && { lastSent: write.body }),
    })
    await queue.enqueue(attemptedWrite, requestInput.bytes)
    return { state: 'queued' }
  }
}

interface UploadDetails {
  id?: string
  name?: string
  alt?: string
  width?: number
  height?: number
  durationMs?: number
}

/** Writes that reference its id are sent after it. */
export async function uploadOrQueue(
  keeperId: string,
  bytes: Blob,
  details: UploadDetails,
  kind: string,
): Promise<SendResult<Media> & { id: string }> {
  const id = details.id ?? createClientId()
  const sent = await sendOrQueue(
    keeperMedia.upload,
    { params: { id: keeperId }, query: { ...details, id }, bytes },
    { what: kind, keeperId },
  )
  return { ...sent, id } as SendResult<Media> & { id: string }
}
