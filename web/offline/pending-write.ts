import type { EndpointMatch, HttpMethod } from '#contract/endpoint.ts'
import { ApiError, call, NetworkError, UnreadableResponse } from '#web/api/api.ts'
import type { AnyEndpoint, UntypedCallInput } from '#web/api/api-types.ts'
import { createClientId } from './create-client-id.ts'

export interface WriteContext {
  /** The kind of entity, such as `Moment`. */
  what: string
  keeperId: string
}

type WriteBody = Record<string, unknown>

/** The writing page: a tab hasn't seen the writes of other tabs after it was opened. */
export interface WriteOrigin {
  page: string
  /** ISO. Earlier writes are part of this page's forms. */
  since: string
  at: string
}

export interface PendingWrite extends WriteContext {
  id: string
  order: number
  /** Older versions stored only the order, which two writes share when a full disk hides one from other tabs. */
  place?: string
  at: string
  endpoint: { method: HttpMethod; path: string; when?: EndpointMatch; answer?: 'envelope' | 'bare'; creates: boolean }
  params?: unknown
  query?: unknown
  body?: WriteBody
  ifMatch?: number
  /** Missing in writes stored by older versions. */
  hand?: WriteOrigin
  /** The id of the entity it creates or changes. */
  thing?: string
  /** Fields that the endpoint's body accepts. */
  fields: string[]
  tries: number
  failures?: number
  /** The body that may already have reached the server. */
  lastSent?: WriteBody
  /** Its bytes are in the `bytes` store under `id`. */
  mime?: string
  /** `stale`: someone saved first; `refused`: the server rejected it. Both need the person. */
  state: 'waiting' | 'stale' | 'refused'
  /** `words` is the message of the server. */
  refusal?: { words: string; status: number; requestId?: string }
  yours?: WriteBody
  current?: WriteBody
}

const pageId = createClientId()
const pageOpenedAt = new Date().toISOString()

/** Whether the author of `later` may not have seen `earlier`: another page wrote it after theirs was opened. */
export function isPossiblyUnseen(earlier: Pick<PendingWrite, 'hand'>, later: Pick<PendingWrite, 'hand'>): boolean {
  const [first, second] = [earlier.hand, later.hand]
  return first !== undefined && second !== undefined && first.page !== second.page && first.at >= second.since
}

export const getWriteOrigin = (): WriteOrigin => ({ page: pageId, since: pageOpenedAt, at: new Date().toISOString() })

export function createPendingWrite(
  endpoint: AnyEndpoint,
  input: UntypedCallInput,
  context: WriteContext,
): PendingWrite {
  const { method, path, match, responseFormat, supportsIdempotencyKey = false } = endpoint
  const body = input.body as WriteBody | undefined
  const params = input.params as Record<string, unknown> | undefined
  const entityId = supportsIdempotencyKey ? body?.id : (params?.id ?? Object.values(params ?? {}).at(-1))
  return {
    ...context,
    id: createClientId(),
    order: 0,
    at: new Date().toISOString(),
    endpoint: {
      method,
      path,
      ...(match && { when: match }),
      ...(responseFormat && { answer: responseFormat }),
      creates: supportsIdempotencyKey,
    },
    params,
    query: input.query,
    ...(body && { body }),
    ...(input.ifMatch !== undefined && { ifMatch: input.ifMatch }),
    ...(typeof entityId === 'string' && !input.bytes && { thing: entityId }),
    hand: getWriteOrigin(),
    fields: getBodyFields(endpoint),
    tries: 0,
    ...(input.bytes && { mime: input.bytes.type }),
    state: 'waiting',
  }
}

/** Adds creation times under a new idempotency key; the entity's own id still prevents duplicates. */
export function withTimestamps(write: PendingWrite): PendingWrite {
  const missingFields = ['createdAt', 'occurredAt'].filter(
    (field) => write.fields.includes(field) && write.body?.[field] === undefined,
  )
  if (!write.endpoint.creates || typeof write.body?.id !== 'string' || missingFields.length === 0) return write
  const timestamps = Object.fromEntries(missingFields.map((field) => [field, write.at]))
  return { ...write, id: createClientId(), body: { ...write.body, ...timestamps } }
}

/** Edits merge unless two tabs wrote independently; deleting something never sent leaves nothing. */
export function addToQueue(queue: readonly PendingWrite[], write: PendingWrite): PendingWrite[] {
  const order = Math.max(0, ...queue.map((entry) => entry.order)) + 1
  const addedWrite = { ...write, order, place: `${order} ${write.id}` }
  const relatedWrites = queue.filter(
    ({ thing: writeEntityId }) => writeEntityId !== undefined && writeEntityId === write.thing,
  )
  const last = relatedWrites.at(-1)
  if (last && isEdit(write)) {
    const isCompatible = Object.keys(write.body ?? {}).every((field) => last.fields.includes(field))
    const isUnsent = last.endpoint.creates && (last.tries === 0 || last.state === 'refused')
    const isSameCall = isEdit(last) && last.endpoint.path === write.endpoint.path
    if (isCompatible && (isUnsent || isSameCall) && !isPossiblyUnseen(last, write))
      return queue.map((entry) => (entry === last ? mergeWrites(last, write) : entry))
  }
  if (write.endpoint.method === 'DELETE' && relatedWrites.length > 0) {
    const unseenWrites = relatedWrites.filter((entry) => isPossiblyUnseen(entry, write))
    const wasNeverSent =
      relatedWrites[0]?.endpoint.creates === true &&
      (relatedWrites[0].tries === 0 || relatedWrites[0].state === 'refused')
    if (wasNeverSent && unseenWrites.length === 0) return queue.filter((entry) => !relatedWrites.includes(entry))
    // Waiting writes are sent before the deletion, so the deleted entry has the last text; blocked ones are dropped.
    const droppedWrites = relatedWrites.filter((entry) => entry.state !== 'waiting' && !unseenWrites.includes(entry))
    return [...queue.filter((entry) => !droppedWrites.includes(entry)), addedWrite]
  }
  return [...queue, addedWrite]
}

const isEdit = ({ endpoint, query }: PendingWrite) =>
  (endpoint.method === 'PUT' || endpoint.method === 'PATCH') && query === undefined

function mergeWrites(earlier: PendingWrite, write: PendingWrite): PendingWrite {
  const body = { ...earlier.body, ...write.body }
  const hand = write.hand ?? earlier.hand
  // The earlier write may have no revision; the later one does.
  const ifMatch = earlier.endpoint.creates ? earlier.ifMatch : (earlier.ifMatch ?? write.ifMatch)
  const updated = { ...earlier, body, ...(hand && { hand }), ...(ifMatch !== undefined && { ifMatch }) }
  // The comparison shows the version that would be saved now.
  if (earlier.state === 'stale') return { ...updated, yours: { ...earlier.yours, ...write.body } }
  const { refusal: _refusal, ...remaining } = updated
  return { ...remaining, state: 'waiting', ...(earlier.endpoint.creates && { id: createClientId() }) }
}

export function requeue(write: PendingWrite, changes: Partial<Pick<PendingWrite, 'body' | 'ifMatch'>>): PendingWrite {
  const {
    refusal: _refusal,
    yours: _yours,
    current: _current,
    lastSent: _lastSent,
    failures: _failures,
    ...remaining
  } = write
  return { ...remaining, ...changes, state: 'waiting', tries: 0 }
}

/** False if another tab changed or resolved the write. */
export const isUnchanged = (stored: PendingWrite, displayedWrite: PendingWrite): boolean =>
  stored.state === displayedWrite.state &&
  stored.current?.rev === displayedWrite.current?.rev &&
  JSON.stringify(stored.body) === JSON.stringify(displayedWrite.body)

/** Ties, from tabs that couldn't see each other's writes, are ordered by time. */
export const compareOrder = (a: PendingWrite, b: PendingWrite): number => a.order - b.order || a.at.localeCompare(b.at)

/** Skips entities with a blocked write. Files go first, since a merged edit may reference files queued later. */
export function findNextToSend(queue: readonly PendingWrite[]): PendingWrite | undefined {
  const waiting = queue.filter(({ state }) => state === 'waiting')
  const isBlocked = ({ thing: entityId }: PendingWrite, index: number) =>
    entityId !== undefined &&
    queue.slice(0, index).some((earlier) => earlier.thing === entityId && earlier.state !== 'waiting')
  const next = waiting.find((write) => !isBlocked(write, queue.indexOf(write)))
  const referencedIds = Object.values(next?.body ?? {}).flat()
  const isReferencedFile = ({ mime, query }: PendingWrite) =>
    mime !== undefined && referencedIds.includes((query as { id: string }).id)
  return waiting.find(isReferencedFile) ?? next
}

/** @returns the response of the server */
export function sendPendingWrite(write: PendingWrite, bytes: ArrayBuffer | undefined): Promise<unknown> {
  const { endpoint, params, query, body, ifMatch, id, mime } = write
  const send = call as (endpoint: AnyEndpoint, input: UntypedCallInput) => Promise<unknown>
  // The stored endpoint has no schemas; its input was validated when written.
  return send(
    {
      method: endpoint.method,
      path: endpoint.path,
      match: endpoint.when,
      responseFormat: endpoint.answer,
      response: undefined,
    },
    {
      params,
      query,
      ...(body && { body }),
      ...(ifMatch !== undefined && { ifMatch }),
      ...(endpoint.creates && { idempotencyKey: id }),
      ...(mime !== undefined && bytes && { bytes: new Blob([bytes], { type: mime }) }),
    },
  )
}

/** No response from the server itself, so the outcome is unknown; includes a proxy without its backend. */
export function isServerUnreachable(reason: unknown): boolean {
  if (reason instanceof NetworkError || reason instanceof UnreadableResponse) return true
  if (!(reason instanceof ApiError) || reason.code !== undefined) return false
  // A sign-on in front of the server lets the write through later; a firewall that refuses its text never does.
  const statuses = reason.isForeign ? [401, 407, 511] : [502, 503, 504]
  return statuses.includes(reason.receivedStatus)
}

export function isRetryable(reason: unknown): reason is ApiError {
  if (!(reason instanceof ApiError)) return false
  return (
    [408, 425, 429, 503].includes(reason.status) || (reason.status === 409 && reason.retryAfterSeconds !== undefined)
  )
}

/** Maps a wire field to its written form: topics by name, files by id. */
export function getWrittenValue(current: WriteBody, field: string): unknown {
  const value = current[field === 'mediaIds' ? 'media' : field]
  if (!Array.isArray(value) || (field !== 'mediaIds' && field !== 'topics')) return value
  return value.map((entry) => (typeof entry === 'object' ? entry[field === 'mediaIds' ? 'id' : 'name'] : entry))
}

/** The server returns a day as its midnight. */
const isSameValue = (current: unknown, sent: unknown): boolean =>
  JSON.stringify(current ?? null) === JSON.stringify(sent ?? null) ||
  (typeof sent === 'string' && /^\d{4}-\d\d-\d\d$/.test(sent) && current === `${sent}T00:00:00.000Z`)

/** Whether the server already has these values: the save arrived, its response didn't. */
export function hasSameValues(current: WriteBody | undefined, sent: WriteBody | undefined): boolean {
  if (!current || !sent) return false
  return Object.entries(sent).every(
    ([field, value]) => field === 'keeperId' || isSameValue(getWrittenValue(current, field), value),
  )
}

function getBodyFields(endpoint: AnyEndpoint): string[] {
  const shape = (endpoint.body as { shape?: object } | undefined)?.shape
  return Object.keys(shape ?? {})
}

/** Further edits build on the result. `converters` change fields that are shown differently from how they are written. */
export function applyPendingWrites<T extends { id: string }>(
  entry: T,
  writes: readonly PendingWrite[],
  converters: { [Name in keyof T]?: (written: never) => T[Name] } = {},
): T {
  let updated = entry
  for (const { thing: entityId, endpoint, body = {} } of writes) {
    if (entityId !== entry.id || endpoint.creates) continue
    const fields = Object.entries(body).filter(([name, value]) => name in entry && value !== undefined)
    updated = {
      ...updated,
      ...Object.fromEntries(
        fields.map(([name, value]) => [name, converters[name as keyof T]?.(value as never) ?? value]),
      ),
    }
  }
  return updated
}

const textFields = ['content', 'body', 'message', 'belief', 'entry', 'title', 'name', 'label', 'note', 'purpose']

export function getWriteText(body: unknown): string {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null) return ''
  const fields = body as Record<string, unknown>
  return textFields
    .map((field) => fields[field])
    .filter((value): value is string => typeof value === 'string' && value.trim() !== '')
    .join('\n\n')
}

export function getWriteTitle({ what: kind, endpoint, mime }: PendingWrite): string {
  if (mime !== undefined) return kind
  const name = kind.charAt(0).toLowerCase() + kind.slice(1)
  if (endpoint.creates) return `New ${name}`
  return endpoint.method === 'DELETE' ? `Deleted ${name}` : `Changed ${name}`
}
