import { Listeners } from '#contract/listeners.ts'
import { ApiError } from '#web/api/api.ts'
import { checkConnection, getReachability } from '#web/api/api-journal.ts'
import { getCurrentStore, holdTabLock, isTabLockHeld, type LocalStore, tryTabLock, withTabLock } from './local-store.ts'
import {
  addToQueue,
  compareOrder,
  findNextToSend,
  getWriteOrigin,
  hasSameValues,
  isPossiblyUnseen,
  isRetryable,
  isServerUnreachable,
  isUnchanged,
  type PendingWrite,
  requeue,
  sendPendingWrite,
} from './pending-write.ts'
import { getSignedInUserId, StoreClosedError } from './signed-in-user.ts'

const initialSendDelayMs = 2000
const maxSendDelayMs = 60_000
const maxServerErrors = 5
/** No proxy refuses less by default. */
const minRefusedBytes = 500_000

export class WriteQueue {
  readonly store: LocalStore
  #writes: readonly PendingWrite[] = []
  readonly #listeners = new Listeners()
  readonly #sentListeners = new Listeners<PendingWrite>()
  readonly #channel: BroadcastChannel
  #loaded: Promise<void> | undefined
  #sendDelayMs = initialSendDelayMs
  #flushing: Promise<void> | undefined
  #isFlushRequested = false
  #closed = false
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #bytesLocks = new Map<string, () => void>()
  readonly #discardedIds = new Set<string>()
  /** Revisions that this tab's saves have superseded, by entity. */
  readonly #supersededRevisions = new Map<string, { from: Set<number>; to: number }>()

  constructor(store: LocalStore) {
    this.store = store
    this.#channel = new BroadcastChannel(`keeper-writes-${store.userId}`)
    this.#channel.onmessage = ({ data }) => {
      void this.#reload()
      if (data?.sent) this.#sentListeners.notify(data.sent as PendingWrite)
    }
  }

  readonly subscribe = this.#listeners.add
  readonly onSent = this.#sentListeners.add
  readonly getWrites = (): readonly PendingWrite[] => this.#writes

  load(): Promise<void> {
    this.#loaded ??= this.#reload()
    return this.#loaded
  }

  /** Whether pending writes of this entity were discarded in this tab, with none queued since. */
  wasDiscarded(entityId: string): boolean {
    return this.#discardedIds.has(entityId)
  }

  /** Order is kept: nothing overtakes waiting writes, or a blocked write of the same entity. */
  mustWait(write: PendingWrite): boolean {
    return this.#writes.some(
      ({ state, thing: entityId }) => state === 'waiting' || (entityId !== undefined && entityId === write.thing),
    )
  }

  /** The current revision for an entity that this tab saved in the meantime. */
  resolveRevision(entityId: string | undefined, ifMatch: number | undefined): number | undefined {
    const supersededRevision = entityId === undefined ? undefined : this.#supersededRevisions.get(entityId)
    return supersededRevision && ifMatch !== undefined && supersededRevision.from.has(ifMatch)
      ? supersededRevision.to
      : ifMatch
  }

  async enqueue(write: PendingWrite, bytes?: Blob): Promise<void> {
    if (bytes) await this.#storeBytes(write.id, await bytes.arrayBuffer())
    await this.#change((queue) => addToQueue(queue, write))
    this.sendLater()
  }

  async retry(id: string): Promise<void> {
    await this.#change((queue) => queue.map((write) => (write.id === id ? requeue(write, {}) : write)))
    await this.flush()
  }

  /** Requeues a blocked write with the person's decision. @throws if the write changed since it was shown */
  async requeueResolved(
    displayedWrite: PendingWrite,
    resolution: Pick<PendingWrite, 'body' | 'ifMatch'>,
  ): Promise<void> {
    await this.#changeDisplayed(displayedWrite, (stored) => [requeue(stored, resolution)])
    await this.flush()
  }

  /** @throws if the write changed since it was shown */
  async discard(displayedWrite: PendingWrite): Promise<void> {
    await this.#changeDisplayed(displayedWrite, ({ thing: entityId }) => {
      if (entityId !== undefined) this.#discardedIds.add(entityId)
      return []
    })
    await this.#removeBytes(displayedWrite.id)
  }

  #changeDisplayed(displayedWrite: PendingWrite, change: (stored: PendingWrite) => PendingWrite[]): Promise<void> {
    return this.#change((queue) => {
      const stored = queue.find(({ id }) => id === displayedWrite.id)
      if (stored && isUnchanged(stored, displayedWrite))
        return queue.flatMap((queued) => (queued === stored ? change(stored) : queued))
      this.#setWrites(queue)
      throw new Error('This change was edited in another tab. Review it again.')
    })
  }

  /** Bytes held in memory because the disk is full: a lock tells other tabs to leave the write to this one. */
  async #storeBytes(id: string, bytes: ArrayBuffer): Promise<void> {
    await this.store.put('bytes', id, bytes)
    if (!this.store.isOnDisk('bytes', id)) this.#bytesLocks.set(id, await holdTabLock(getBytesLockName(id)))
  }

  async #removeBytes(id: string): Promise<void> {
    await this.store.remove('bytes', id)
    this.#bytesLocks.get(id)?.()
    this.#bytesLocks.delete(id)
  }

  readBytes(write: PendingWrite): Promise<ArrayBuffer | undefined> {
    return this.store.get<ArrayBuffer>('bytes', write.id)
  }

  sendLater(): void {
    if (this.#closed || this.#timer !== undefined || this.#writes.every(({ state }) => state !== 'waiting')) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, this.#sendDelayMs)
    this.#sendDelayMs = Math.min(this.#sendDelayMs * 2, maxSendDelayMs)
  }

  /** Sends waiting writes in order, one tab at a time; resolves when nothing more can be sent. */
  flush(): Promise<void> {
    // Calls during a flush trigger another pass.
    this.#isFlushRequested = true
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  async #flushAll(): Promise<void> {
    try {
      await this.load()
      while (this.#isFlushRequested && !this.#closed) {
        this.#isFlushRequested = false
        await tryTabLock(`keeper-sending-${this.store.userId}`, () => this.#sendAll())
      }
    } catch (reason) {
      if (!(reason instanceof StoreClosedError)) throw reason
      return
    }
    this.sendLater()
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      await this.#reload()
      const write = findNextToSend(this.#writes)
      if (!write) return
      const bytes = write.mime === undefined ? undefined : await this.readBytes(write)
      if (write.mime !== undefined && bytes === undefined) {
        if (await isTabLockHeld(getBytesLockName(write.id))) return
        await this.#markRefused(write, { words: 'The file is no longer in this browser. Choose it again.', status: 0 })
        continue
      }
      // From here on the server may have the write.
      const sending: PendingWrite = { ...write, tries: write.tries + 1, ...(write.body && { lastSent: write.body }) }
      if (!(await this.#replace(write, sending))) continue
      if (!(await this.#send(sending, write.lastSent, bytes))) return
      this.#sendDelayMs = initialSendDelayMs
    }
  }

  /** Resolves to whether the next write can be sent. */
  async #send(write: PendingWrite, sentBefore: PendingWrite['body'], bytes: ArrayBuffer | undefined): Promise<boolean> {
    try {
      if (getSignedInUserId() !== this.store.userId) return false
      const answer = await sendPendingWrite(write, bytes)
      await this.#completeWrite(write, findRevision(answer, write.thing))
      return true
    } catch (reason) {
      if (reason instanceof StoreClosedError) return false
      if (isServerUnreachable(reason)) return this.#handleUnanswered(write, bytes?.byteLength)
      if (isRetryable(reason)) {
        this.#sendDelayMs = Math.max(this.#sendDelayMs, (reason.retryAfterSeconds ?? 0) * 1000)
        return false
      }
      if (!(reason instanceof ApiError)) return this.#markRefused(write, { words: String(reason), status: 0 })
      if (reason.status === 401) return false
      if (reason.status >= 500 && (write.failures ?? 0) + 1 < maxServerErrors) {
        await this.#replace(write, { ...write, failures: (write.failures ?? 0) + 1 })
        return false
      }
      if (reason.status === 404 && write.endpoint.method === 'DELETE') {
        await this.#completeWrite(write, undefined)
        return true
      }
      if (reason.code === 'stale') return this.#handleStale(write, sentBefore, reason.data as StaleData)
      const { status, message: text, requestId } = reason
      return this.#markRefused(write, { words: text, status, ...(requestId && { requestId }) })
    }
  }

  /** Some proxies break the connection, or answer 502, when a write is larger than they accept. It must not block the others for good. */
  async #handleUnanswered(write: PendingWrite, fileBytes?: number): Promise<boolean> {
    const bytes = fileBytes ?? JSON.stringify(write.body ?? {}).length
    if (bytes < minRefusedBytes) return false
    await checkConnection()
    if (getReachability() !== 'reached') return false
    const failures = (write.failures ?? 0) + 1
    if (failures < maxServerErrors) {
      await this.#replace(write, { ...write, failures })
      return false
    }
    const words = `The server can be reached, but it didn’t answer this request ${maxServerErrors} times. A proxy in front of it may not accept ${Math.ceil(bytes / 1e6)} MB at once. Send less, or ask your administrator to raise the limit.`
    return this.#markRefused(write, { words, status: 0 })
  }

  /** A conflict, unless the current version is this write, whose response was lost. */
  async #handleStale(
    write: PendingWrite,
    sentBefore: PendingWrite['body'],
    { yours, current }: StaleData,
  ): Promise<boolean> {
    if (hasSameValues(current, write.body)) {
      await this.#completeWrite(write, current.rev)
      return true
    }
    if (current.rev === (write.ifMatch ?? 0) + 1 && hasSameValues(current, sentBefore)) {
      this.#recordRevision(write, current.rev)
      await this.#replace(write, { ...write, ifMatch: current.rev })
      return true
    }
    await this.#replace(write, { ...write, state: 'stale', yours, current })
    return true
  }

  async #markRefused(write: PendingWrite, refusal: NonNullable<PendingWrite['refusal']>): Promise<boolean> {
    await this.#replace(write, { ...write, state: 'refused', refusal })
    return true
  }

  /** Removes a sent write; later writes of the entity continue on its revision. */
  async #completeWrite(write: PendingWrite, rev: number | undefined): Promise<void> {
    const { thing: entityId, ifMatch } = write
    await this.#change((queue) =>
      queue.flatMap((queued) => {
        if (queued.id === write.id) return getUnsentRemainder(queued, write, rev)
        const isBasedOnWrite =
          rev !== undefined &&
          entityId !== undefined &&
          queued.thing === entityId &&
          queued.order > write.order &&
          !isPossiblyUnseen(write, queued) &&
          (write.endpoint.creates || queued.ifMatch === getBaseRevision(ifMatch, rev))
        return isBasedOnWrite && queued.state === 'waiting' && queued.ifMatch !== undefined
          ? { ...queued, ifMatch: rev }
          : queued
      }),
    )
    if (write.mime !== undefined) await this.#removeBytes(write.id)
    this.#recordRevision(write, rev)
    this.#sentListeners.notify(write)
    this.#broadcast({ sent: write })
  }

  #recordRevision(write: PendingWrite, revision: number | undefined): void {
    const { thing: entityId, ifMatch } = write
    if (entityId === undefined || revision === undefined || write.endpoint.creates) return
    const previous = getBaseRevision(ifMatch, revision)
    // This tab's forms haven't seen another tab's write.
    if (isPossiblyUnseen(write, { hand: getWriteOrigin() })) return
    const earlier = this.#supersededRevisions.get(entityId)
    const from = earlier?.to === previous ? earlier.from : new Set<number>()
    this.#supersededRevisions.set(entityId, { from: from.add(previous), to: revision })
  }

  /** Resolves to false if the write changed in the meantime. */
  async #replace(previous: PendingWrite, updated: PendingWrite): Promise<boolean> {
    let isReplaced = false
    await this.#change((queue) =>
      queue.map((queued) => {
        if (queued.id !== previous.id) return queued
        const isSame = JSON.stringify(queued.body) === JSON.stringify(previous.body)
        isReplaced = isSame
        // Text added while it was being sent stays, to be sent again.
        return isSame
          ? updated
          : { ...queued, tries: updated.tries, ...(updated.lastSent && { lastSent: updated.lastSent }) }
      }),
    )
    return isReplaced
  }

  /** Read-modify-write under a lock across tabs. */
  async #change(change: (queue: readonly PendingWrite[]) => PendingWrite[]): Promise<void> {
    await withTabLock(`keeper-writes-${this.store.userId}`, async () => {
      const previous = await this.#loadStored()
      const updated = change(previous)
      for (const write of updated)
        if (!previous.includes(write)) await this.store.put('writes', getWriteStorageKey(write), write)
      for (const write of previous)
        if (!updated.some((queued) => getWriteStorageKey(queued) === getWriteStorageKey(write)))
          await this.store.remove('writes', getWriteStorageKey(write))
      this.#setWrites(updated)
    })
    this.#broadcast({})
  }

  async #reload(): Promise<void> {
    try {
      this.#setWrites(await this.#loadStored())
    } catch (reason) {
      if (!(reason instanceof StoreClosedError)) throw reason
      // Without a session, the page keeps showing the waiting writes.
      if (getSignedInUserId() !== null) this.#setWrites([])
    }
  }

  async #loadStored(): Promise<PendingWrite[]> {
    return (await this.store.getAll<PendingWrite>('writes')).sort(compareOrder)
  }

  #setWrites(writes: readonly PendingWrite[]): void {
    this.#writes = writes
    for (const { thing: entityId } of writes) if (entityId !== undefined) this.#discardedIds.delete(entityId)
    this.#listeners.notify()
  }

  #broadcast(message: object): void {
    if (!this.#closed) this.#channel.postMessage(message)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const release of this.#bytesLocks.values()) release()
    this.#channel.close()
  }
}

interface StaleData {
  yours: Record<string, unknown>
  current: Record<string, unknown> & { rev: number }
}

const getWriteStorageKey = ({ order, place: storageKey }: PendingWrite) => storageKey ?? `${order}`
const getBytesLockName = (id: string) => `keeper-bytes-${id}`

/** Some endpoints return the entity itself, some nest it. */
function findRevision(answer: unknown, entityId: string | undefined): number | undefined {
  const fields = (answer ?? {}) as { rev?: number }
  const nested = Object.values(fields).find(
    (value) => entityId !== undefined && (value as { id?: unknown })?.id === entityId,
  )
  return fields.rev ?? (nested as { rev?: number } | undefined)?.rev
}

/** A write without a revision was based on the one before. */
const getBaseRevision = (ifMatch: number | undefined, rev: number): number => ifMatch ?? rev - 1

/** Keeps changes that were merged in while the write was being sent. */
function getUnsentRemainder(current: PendingWrite, sent: PendingWrite, rev: number | undefined): PendingWrite[] {
  if (JSON.stringify(current.body) === JSON.stringify(sent.body)) return []
  const { lastSent: _lastSent, ...remaining } = current
  return [{ ...remaining, ...(rev !== undefined && current.ifMatch !== undefined && { ifMatch: rev }), tries: 0 }]
}

let currentQueue: WriteQueue | undefined

export function getCurrentQueue(): WriteQueue | null {
  const store = getCurrentStore()
  if (!store) return null
  if (currentQueue?.store !== store) {
    currentQueue?.close()
    currentQueue = new WriteQueue(store)
  }
  return currentQueue
}

/** The queue of this page, even while the session is lost. */
export const getPageQueue = (): WriteQueue | undefined => getCurrentQueue() ?? currentQueue
