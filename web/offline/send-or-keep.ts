import type { Media } from '#contract/keepers/media.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { type Answer, call } from '#web/api.ts'
import { lastReach } from '#web/api-journal.ts'
import type { AnyEndpoint, CallInput, LooseInput } from '#web/api-types.ts'
import { newClientId } from './new-client-id.ts'
import { isAway, type KeptWrite, pendingWrite, withItsTime } from './pending-write.ts'
import { ownQueueLater, requireOwnPage } from './whose-browser.ts'

export type { KeptWrite } from './pending-write.ts'

/** `kept`: queued in this browser because the server couldn't be reached. */
export type Sent<Data> = { state: 'sent'; answer: Data } | { state: 'kept' }

/**
 * Sends a write, or queues it if the server can't be reached or earlier writes wait. Creates need an `id` in the body.
 * @throws ApiError if the server refuses, StoreClosedError if someone else signed in; nothing is queued then
 */
export async function sendOrKeep<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  kept: KeptWrite,
): Promise<Sent<Answer<E>>> {
  const loose = input as LooseInput
  const write = pendingWrite(endpoint, loose, kept)
  const queue = await ownQueueLater()
  await queue?.load()
  requireOwnPage()
  if (queue && (queue.mustWait(write) || lastReach() === 'unreachable')) {
    await queue.keep(withItsTime(write), loose.bytes)
    if (lastReach() === 'reached') void queue.flush()
    return { state: 'kept' }
  }
  const ifMatch = queue ? queue.present(write.thing, loose.ifMatch) : loose.ifMatch
  const options = { ...(ifMatch !== undefined && { ifMatch }), ...(endpoint.creates && { idempotencyKey: write.id }) }
  try {
    return { state: 'sent', answer: await call(endpoint, ...([{ ...input, ...options }] as never)) }
  } catch (reason) {
    if (!queue || !isAway(reason)) throw reason
    const tried = withItsTime({ ...write, ...options, tries: 1, ...(write.body && { lastSent: write.body }) })
    await queue.keep(tried, loose.bytes)
    return { state: 'kept' }
  }
}

interface AboutUpload {
  id?: string
  name?: string
  alt?: string
  width?: number
  height?: number
  durationMs?: number
}

/** Writes that reference its id are sent after it. */
export async function keepUpload(
  keeperId: string,
  bytes: Blob,
  about: AboutUpload,
  what: string,
): Promise<Sent<Media> & { id: string }> {
  const id = about.id ?? newClientId()
  const sent = await sendOrKeep(
    keeperMedia.upload,
    { params: { id: keeperId }, query: { ...about, id }, bytes },
    { what, keeperId },
  )
  return { ...sent, id } as Sent<Media> & { id: string }
}
