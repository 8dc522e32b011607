import type { Method, When } from '#contract/endpoint.ts'
import { ApiError, Unreachable, Unreadable } from '#web/api.ts'
import type { AnyEndpoint, LooseInput } from '#web/api-types.ts'
import { newClientId } from './new-client-id.ts'

/** What is said of a write while it waits. */
export interface KeptWrite {
  /** `Moment`, `Reflection` … */
  what: string
  keeperId: string
}

type Body = Record<string, unknown>

/** Who wrote it last: two tabs may write the same thing, and neither has seen what the other wrote after it was opened. */
export interface Hand {
  page: string
  /** ISO, of the page: what was kept before it was opened stands in its forms. */
  since: string
  /** ISO */
  at: string
}

/** A write that waits in this browser until the server has it. */
export interface PendingWrite extends KeptWrite {
  /** Also its `Idempotency-Key`. */
  id: string
  /** They are sent in this order. */
  order: number
  /**
   * Where it lies, for as long as it waits; the order alone in what an earlier version of Keeper kept. A tab for which the disk
   * is full has writes that no other sees, so that two may have one order.
   */
  place?: string
  /** When the person wrote it, ISO. */
  at: string
  endpoint: { method: Method; path: string; when?: When; answer?: 'envelope' | 'bare'; creates: boolean }
  params?: unknown
  query?: unknown
  body?: Body
  /** What it was based on. */
  ifMatch?: number
  /** Missing in what an earlier version of Keeper kept. */
  hand?: Hand
  /** The id of what it makes or changes; undefined for what gets its id from the server. */
  thing?: string
  /** What the body of this call may say. */
  fields: string[]
  /** How often it was sent. */
  tries: number
  /** How often the server failed at it. */
  failures?: number
  /** The body as it may have reached the server already. */
  lastSent?: Body
  /** Its bytes lie on their own shelf, under `id`. */
  mime?: string
  /** `stale`: somebody else was faster; `refused`: the server says no. Both wait for the person, not for the server. */
  state: 'waiting' | 'stale' | 'refused'
  refusal?: { words: string; status: number; requestId?: string }
  /** Of `stale`: both versions, whole. */
  yours?: Body
  current?: Body
}

const page = newClientId()
const since = new Date().toISOString()

/** Whether whoever wrote `later` may not have seen `earlier`: another page wrote it, after theirs was opened. */
export function mayBeUnseen(earlier: Pick<PendingWrite, 'hand'>, later: Pick<PendingWrite, 'hand'>): boolean {
  const [first, second] = [earlier.hand, later.hand]
  return first !== undefined && second !== undefined && first.page !== second.page && first.at >= second.since
}

/** The hand of this page, now. */
export const ownHand = (): Hand => ({ page, since, at: new Date().toISOString() })

/** What a call looks like while it waits. What was written offline says when it was written. */
export function pendingWrite(endpoint: AnyEndpoint, input: LooseInput, kept: KeptWrite): PendingWrite {
  const { method, path, when, answer, creates = false } = endpoint
  const body = input.body as Body | undefined
  const params = input.params as Record<string, unknown> | undefined
  const own = creates ? body?.id : (params?.id ?? Object.values(params ?? {}).at(-1))
  return {
    ...kept,
    id: newClientId(),
    order: 0,
    at: new Date().toISOString(),
    endpoint: { method, path, ...(when && { when }), ...(answer && { answer }), creates },
    params,
    query: input.query,
    ...(body && { body }),
    ...(input.ifMatch !== undefined && { ifMatch: input.ifMatch }),
    ...(typeof own === 'string' && !input.bytes && { thing: own }),
    hand: ownHand(),
    fields: fieldsOf(endpoint),
    tries: 0,
    ...(input.bytes && { mime: input.bytes.type }),
    state: 'waiting',
  }
}

/** The same, saying when it was written: under its own id it stays one thing, whatever reached the server before. */
export function withItsTime(write: PendingWrite): PendingWrite {
  const missing = ['createdAt', 'occurredAt'].filter(
    (field) => write.fields.includes(field) && write.body?.[field] === undefined,
  )
  if (!write.endpoint.creates || typeof write.body?.id !== 'string' || missing.length === 0) return write
  const times = Object.fromEntries(missing.map((field) => [field, write.at]))
  return { ...write, id: newClientId(), body: { ...write.body, ...times } }
}

/**
 * What becomes of the queue when `write` joins it. An edit of what was never sent becomes part of it; two edits of one
 * thing become one, unless two tabs wrote them past each other; whatever takes back something never sent leaves nothing.
 */
export function joined(queue: readonly PendingWrite[], write: PendingWrite): PendingWrite[] {
  const order = Math.max(0, ...queue.map((each) => each.order)) + 1
  const standing = { ...write, order, place: `${order} ${write.id}` }
  const same = queue.filter(({ thing }) => thing !== undefined && thing === write.thing)
  const last = same.at(-1)
  if (last && isEdit(write)) {
    const fits = Object.keys(write.body ?? {}).every((field) => last.fields.includes(field))
    const untouched = last.endpoint.creates && (last.tries === 0 || last.state === 'refused')
    const sameCall = isEdit(last) && last.endpoint.path === write.endpoint.path
    if (fits && (untouched || sameCall) && !mayBeUnseen(last, write))
      return queue.map((each) => (each === last ? merged(last, write) : each))
  }
  if (write.endpoint.method === 'DELETE' && same.length > 0) {
    const unseen = same.filter((each) => mayBeUnseen(each, write))
    const neverSent = same[0]?.endpoint.creates === true && (same[0].tries === 0 || same[0].state === 'refused')
    if (neverSent && unseen.length === 0) return queue.filter((each) => !same.includes(each))
    // What is deleted lies in the bin with its last words; what was held is given up with it.
    const goes = same.filter((each) => each.state !== 'waiting' && !unseen.includes(each))
    return [...queue.filter((each) => !goes.includes(each)), standing]
  }
  return [...queue, standing]
}

const isEdit = ({ endpoint, query }: PendingWrite) =>
  (endpoint.method === 'PUT' || endpoint.method === 'PATCH') && query === undefined

function merged(earlier: PendingWrite, write: PendingWrite): PendingWrite {
  const body = { ...earlier.body, ...write.body }
  const hand = write.hand ?? earlier.hand
  // A tick that was kept names no revision; words that join it do.
  const ifMatch = earlier.endpoint.creates ? earlier.ifMatch : (earlier.ifMatch ?? write.ifMatch)
  const present = { ...earlier, body, ...(hand && { hand }), ...(ifMatch !== undefined && { ifMatch }) }
  // What is compared is what would be saved now.
  if (earlier.state === 'stale') return { ...present, yours: { ...earlier.yours, ...write.body } }
  const { refusal: _refusal, ...rest } = present
  return { ...rest, state: 'waiting', ...(earlier.endpoint.creates && { id: newClientId() }) }
}

/** A held write back in line; with other words, and on another revision, where the person chose them. */
export function backInLine(
  write: PendingWrite,
  changes: Partial<Pick<PendingWrite, 'body' | 'ifMatch'>>,
): PendingWrite {
  const {
    refusal: _refusal,
    yours: _yours,
    current: _current,
    lastSent: _lastSent,
    failures: _failures,
    ...rest
  } = write
  return { ...rest, ...changes, state: 'waiting', tries: 0 }
}

/** Whether it still is what somebody looked at: another tab may have written into it, or decided on it. */
export const isAsSeen = (stored: PendingWrite, seen: PendingWrite): boolean =>
  stored.state === seen.state &&
  stored.current?.rev === seen.current?.rev &&
  JSON.stringify(stored.body) === JSON.stringify(seen.body)

/** As they were written: of two tabs that could not see each other's, by the clock. */
export const inOrder = (one: PendingWrite, other: PendingWrite): number =>
  one.order - other.order || one.at.localeCompare(other.at)

/**
 * What may be sent next: the first one that waits, unless an earlier write of the same thing is held. A file that it names
 * goes before it: an edit that joined one that waited may name what was kept after that.
 */
export function nextToSend(queue: readonly PendingWrite[]): PendingWrite | undefined {
  const sorted = queue.toSorted(inOrder)
  const next = sorted.find(
    (write, index) =>
      write.state === 'waiting' &&
      (write.thing === undefined ||
        !sorted.slice(0, index).some(({ thing, state }) => thing === write.thing && state !== 'waiting')),
  )
  const named = Object.values(next?.body ?? {}).flat()
  return sorted.find((write) => write.state === 'waiting' && uploads(write, named)) ?? next
}

function uploads({ mime, query }: PendingWrite, files: readonly unknown[]): boolean {
  const { id } = (query ?? {}) as { id?: string }
  return mime !== undefined && id !== undefined && files.includes(id)
}

/** No word of the server was heard: nobody knows whether it arrived. A proxy without a server behind it counts too. */
export function isAway(reason: unknown): boolean {
  if (reason instanceof Unreachable || reason instanceof Unreadable) return true
  return reason instanceof ApiError && reason.code === undefined && [502, 503, 504].includes(reason.status)
}

/** It answered, and asks to come again. */
export function isForLater(reason: unknown): reason is ApiError {
  if (!(reason instanceof ApiError)) return false
  return (
    [408, 425, 429, 503].includes(reason.status) || (reason.status === 409 && reason.retryAfterSeconds !== undefined)
  )
}

/** A field as it is written, of what the wire shows: topics by their names, files by their ids. */
export function asWritten(shown: Body, field: string): unknown {
  const value = shown[field === 'mediaIds' ? 'media' : field]
  if (!Array.isArray(value) || (field !== 'mediaIds' && field !== 'topics')) return value
  return value.map((each) => (typeof each === 'object' ? each[field === 'mediaIds' ? 'id' : 'name'] : each))
}

/** A day that is written is shown as its beginning. */
const sameValue = (shown: unknown, sent: unknown): boolean =>
  JSON.stringify(shown ?? null) === JSON.stringify(sent ?? null) ||
  (typeof sent === 'string' && /^\d{4}-\d\d-\d\d$/.test(sent) && shown === `${sent}T00:00:00.000Z`)

/** Whether the server's version says already what was sent: the answer got lost, the save did not. */
export function saysAlready(current: Body | undefined, sent: Body | undefined): boolean {
  if (!current || !sent) return false
  return Object.entries(sent).every(
    ([field, value]) => field === 'keeperId' || sameValue(asWritten(current, field), value),
  )
}

function fieldsOf(endpoint: AnyEndpoint): string[] {
  const shape = (endpoint.body as { shape?: object } | undefined)?.shape
  return Object.keys(shape ?? {})
}
