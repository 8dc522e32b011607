import { ApiError, call } from '#web/api.ts'
import type { AnyEndpoint, LooseInput } from '#web/api-types.ts'
import { noteThrownAway, showPending } from './pending-list.ts'
import {
  backInLine,
  inOrder,
  isAsSeen,
  isAway,
  isForLater,
  joined,
  mayBeUnseen,
  nextToSend,
  ownHand,
  type PendingWrite,
  saysAlready,
} from './pending-write.ts'
import { inTurn, isSomewhere, sayHere, unlessUnderWay } from './turns.ts'
import { ownVault, type Vault } from './vault.ts'
import { VaultClosed, whoseBrowser } from './whose-browser.ts'

const firstWaitMs = 2000
const longestWaitMs = 60_000
const mostFailures = 5

/** One person's pending writes, shared by all tabs. */
export class WriteQueue {
  readonly person: string
  readonly vault: Vault
  #writes: readonly PendingWrite[] = []
  readonly #listeners = new Set<() => void>()
  readonly #sentListeners = new Set<(write: PendingWrite) => void>()
  readonly #channel: BroadcastChannel
  #loaded: Promise<void> | undefined
  #wait = firstWaitMs
  #flushing: Promise<void> | undefined
  #flushes = 0
  #closed = false
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #bytesHere = new Map<string, () => void>()
  /** Revisions that this tab's saves have superseded, by entity. */
  readonly #moved = new Map<string, { from: Set<number>; to: number }>()

  constructor(vault: Vault) {
    this.person = vault.person
    this.vault = vault
    this.#channel = new BroadcastChannel(`keeper-writes-${vault.person}`)
    this.#channel.onmessage = ({ data }) => {
      void this.#reload()
      if (data?.sent) for (const told of this.#sentListeners) told(data.sent as PendingWrite)
    }
  }

  readonly listen = (changed: () => void): (() => void) => {
    this.#listeners.add(changed)
    return () => this.#listeners.delete(changed)
  }
  readonly pending = (): readonly PendingWrite[] => this.#writes

  onSent(told: (write: PendingWrite) => void): () => void {
    this.#sentListeners.add(told)
    return () => this.#sentListeners.delete(told)
  }

  load(): Promise<void> {
    this.#loaded ??= this.#reload()
    return this.#loaded
  }

  /** Order is kept: nothing overtakes waiting writes, or a blocked write of the same entity. */
  mustWait(write: PendingWrite): boolean {
    return this.#writes.some(
      ({ state, thing }) => state === 'waiting' || (thing !== undefined && thing === write.thing),
    )
  }

  /** The current revision for an entity that this tab saved in the meantime. */
  present(thing: string | undefined, ifMatch: number | undefined): number | undefined {
    const moved = thing === undefined ? undefined : this.#moved.get(thing)
    return moved && ifMatch !== undefined && moved.from.has(ifMatch) ? moved.to : ifMatch
  }

  async keep(write: PendingWrite, bytes?: Blob): Promise<void> {
    if (bytes) await this.#keepBytes(write.id, await bytes.arrayBuffer())
    await this.#change((queue) => joined(queue, write))
    this.sendLater()
  }

  async tryAgain(id: string): Promise<void> {
    await this.#change((queue) => queue.map((write) => (write.id === id ? backInLine(write, {}) : write)))
    await this.flush()
  }

  /** Requeues a blocked write with the person's decision. @throws if the write changed since it was shown */
  async decide(seen: PendingWrite, decided: Pick<PendingWrite, 'body' | 'ifMatch'>): Promise<void> {
    await this.#changeSeen(seen, (stored) => [backInLine(stored, decided)])
    await this.flush()
  }

  /** @throws if the write changed since it was shown */
  async throwAway(seen: PendingWrite): Promise<void> {
    await this.#changeSeen(seen, ({ thing }) => {
      if (thing !== undefined) noteThrownAway(thing)
      return []
    })
    await this.#removeBytes(seen.id)
  }

  #changeSeen(seen: PendingWrite, change: (stored: PendingWrite) => PendingWrite[]): Promise<void> {
    return this.#change((queue) => {
      const stored = queue.find(({ id }) => id === seen.id)
      if (stored && isAsSeen(stored, seen)) return queue.flatMap((each) => (each === stored ? change(stored) : each))
      this.#show(queue)
      throw new Error('This was changed in another tab. Look at it again.')
    })
  }

  /** Bytes held in memory because the disk is full: a lock tells other tabs to leave the write to this one. */
  async #keepBytes(id: string, bytes: ArrayBuffer): Promise<void> {
    await this.vault.put('bytes', id, bytes)
    if (!this.vault.isOnDisk('bytes', id)) this.#bytesHere.set(id, await sayHere(bytesOnlyHere(id)))
  }

  async #removeBytes(id: string): Promise<void> {
    await this.vault.remove('bytes', id)
    this.#bytesHere.get(id)?.()
    this.#bytesHere.delete(id)
  }

  bytesOf(write: PendingWrite): Promise<ArrayBuffer | undefined> {
    return this.vault.get<ArrayBuffer>('bytes', write.id)
  }

  /** Retries with exponential backoff. */
  sendLater(): void {
    if (this.#closed || this.#timer !== undefined || this.#writes.every(({ state }) => state !== 'waiting')) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, this.#wait)
    this.#wait = Math.min(this.#wait * 2, longestWaitMs)
  }

  /** Sends waiting writes in order, one tab at a time; resolves when nothing more can be sent. */
  flush(): Promise<void> {
    // Calls during a flush trigger another pass.
    this.#flushes += 1
    this.#flushing ??= this.#flushAll().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  async #flushAll(): Promise<void> {
    try {
      await this.load()
      for (let seen = -1; seen !== this.#flushes && !this.#closed; ) {
        seen = this.#flushes
        await unlessUnderWay(`keeper-sending-${this.person}`, () => this.#sendAll())
      }
    } catch (reason) {
      if (!(reason instanceof VaultClosed)) throw reason
      return
    }
    this.sendLater()
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      await this.#reload()
      const write = nextToSend(this.#writes)
      if (!write) return
      const bytes = write.mime === undefined ? undefined : await this.bytesOf(write)
      if (write.mime !== undefined && bytes === undefined) {
        if (await isSomewhere(bytesOnlyHere(write.id))) return
        await this.#hold(write, { words: 'The file is no longer in this browser. Choose it again.', status: 0 })
        continue
      }
      // From here on the server may have it.
      const sending: PendingWrite = { ...write, tries: write.tries + 1, ...(write.body && { lastSent: write.body }) }
      if (!(await this.#replace(write, sending))) continue
      if (!(await this.#send(sending, write.lastSent, bytes))) return
      this.#wait = firstWaitMs
    }
  }

  /** Resolves to whether the next write can be sent. */
  async #send(write: PendingWrite, sentBefore: PendingWrite['body'], bytes: ArrayBuffer | undefined): Promise<boolean> {
    try {
      if (whoseBrowser() !== this.person) return false
      const answer = await send(write.endpoint as unknown as AnyEndpoint, inputOf(write, bytes))
      await this.#arrived(write, revOf(answer, write.thing))
      return true
    } catch (reason) {
      if (reason instanceof VaultClosed || isAway(reason)) return false
      if (isForLater(reason)) {
        this.#wait = Math.max(this.#wait, (reason.retryAfterSeconds ?? 0) * 1000)
        return false
      }
      if (!(reason instanceof ApiError)) return this.#hold(write, { words: String(reason), status: 0 })
      if (reason.status === 401) return false
      if (reason.status >= 500 && (write.failures ?? 0) + 1 < mostFailures) {
        await this.#replace(write, { ...write, failures: (write.failures ?? 0) + 1 })
        return false
      }
      if (reason.status === 404 && write.endpoint.method === 'DELETE') {
        await this.#arrived(write, undefined)
        return true
      }
      if (reason.code === 'stale') return this.#second(write, sentBefore, reason.data as StaleData)
      const { status, message: words, requestId } = reason
      return this.#hold(write, { words, status, ...(requestId && { requestId }) })
    }
  }

  /** A conflict, unless the current version is this write, whose response was lost. */
  async #second(
    write: PendingWrite,
    sentBefore: PendingWrite['body'],
    { yours, current }: StaleData,
  ): Promise<boolean> {
    if (saysAlready(current, write.body)) {
      await this.#arrived(write, current.rev)
      return true
    }
    if (current.rev === (write.ifMatch ?? 0) + 1 && saysAlready(current, sentBefore)) {
      this.#noteMove(write, current.rev)
      await this.#replace(write, { ...write, ifMatch: current.rev })
      return true
    }
    await this.#replace(write, { ...write, state: 'stale', yours, current })
    return true
  }

  async #hold(write: PendingWrite, refusal: NonNullable<PendingWrite['refusal']>): Promise<boolean> {
    await this.#replace(write, { ...write, state: 'refused', refusal })
    return true
  }

  /** Removes a sent write; later writes of the entity continue on its revision. */
  async #arrived(write: PendingWrite, rev: number | undefined): Promise<void> {
    const { thing, ifMatch } = write
    await this.#change((queue) =>
      queue.flatMap((each) => {
        if (each.id === write.id) return unsentRest(each, write, rev)
        const builtOnIt =
          rev !== undefined &&
          thing !== undefined &&
          each.thing === thing &&
          each.order > write.order &&
          !mayBeUnseen(write, each) &&
          (write.endpoint.creates || each.ifMatch === stoodOn(ifMatch, rev))
        return builtOnIt && each.state === 'waiting' && each.ifMatch !== undefined ? { ...each, ifMatch: rev } : each
      }),
    )
    if (write.mime !== undefined) await this.#removeBytes(write.id)
    this.#noteMove(write, rev)
    for (const told of this.#sentListeners) told(write)
    this.#tell({ sent: write })
  }

  #noteMove(write: PendingWrite, to: number | undefined): void {
    const { thing, ifMatch } = write
    if (thing === undefined || to === undefined || write.endpoint.creates) return
    const before = stoodOn(ifMatch, to)
    // This tab's forms haven't seen another tab's write.
    if (mayBeUnseen(write, { hand: ownHand() })) return
    const earlier = this.#moved.get(thing)
    const from = earlier?.to === before ? earlier.from : new Set<number>()
    this.#moved.set(thing, { from: from.add(before), to })
  }

  /** Resolves to false if the write changed in the meantime. */
  async #replace(before: PendingWrite, after: PendingWrite): Promise<boolean> {
    let replaced = false
    await this.#change((queue) =>
      queue.map((each) => {
        if (each.id !== before.id) return each
        const same = JSON.stringify(each.body) === JSON.stringify(before.body)
        replaced = same
        // Text added while it was being sent stays, to be sent again.
        return same ? after : { ...each, tries: after.tries, ...(after.lastSent && { lastSent: after.lastSent }) }
      }),
    )
    return replaced
  }

  /** Read-modify-write under a lock across tabs. */
  async #change(change: (queue: readonly PendingWrite[]) => PendingWrite[]): Promise<void> {
    await inTurn(`keeper-writes-${this.person}`, async () => {
      const before = await this.#stored()
      const after = change(before)
      for (const write of after) if (!before.includes(write)) await this.vault.put('writes', placeOf(write), write)
      for (const write of before)
        if (!after.some((each) => placeOf(each) === placeOf(write))) await this.vault.remove('writes', placeOf(write))
      this.#show(after)
    })
    this.#tell({})
  }

  async #reload(): Promise<void> {
    try {
      this.#show(await this.#stored())
    } catch (reason) {
      if (!(reason instanceof VaultClosed)) throw reason
      this.#show([])
    }
  }

  async #stored(): Promise<PendingWrite[]> {
    return (await this.vault.all<PendingWrite>('writes')).sort(inOrder)
  }

  #show(writes: readonly PendingWrite[]): void {
    this.#writes = writes.toSorted(inOrder)
    for (const changed of this.#listeners) changed()
  }

  #tell(message: object): void {
    if (!this.#closed) this.#channel.postMessage(message)
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const letGo of this.#bytesHere.values()) letGo()
    this.#channel.close()
  }
}

interface StaleData {
  yours: Record<string, unknown>
  current: Record<string, unknown> & { rev: number }
}

const placeOf = ({ order, place }: PendingWrite) => place ?? `${order}`
const bytesOnlyHere = (id: string) => `keeper-bytes-${id}`

function inputOf(
  { params, query, body, ifMatch, id, mime, endpoint }: PendingWrite,
  bytes: ArrayBuffer | undefined,
): LooseInput {
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
const send = call as (endpoint: AnyEndpoint, input: LooseInput) => Promise<unknown>

/** Some endpoints return the entity itself, some nest it. */
function revOf(answer: unknown, thing: string | undefined): number | undefined {
  const given = (answer ?? {}) as { rev?: number }
  const among = Object.values(given).find((each) => thing !== undefined && (each as { id?: unknown })?.id === thing)
  return given.rev ?? (among as { rev?: number } | undefined)?.rev
}

/** A write without a revision was based on the one before. */
const stoodOn = (ifMatch: number | undefined, rev: number): number => ifMatch ?? rev - 1

/** Keeps what was merged in while the write was being sent. */
function unsentRest(now: PendingWrite, sent: PendingWrite, rev: number | undefined): PendingWrite[] {
  if (JSON.stringify(now.body) === JSON.stringify(sent.body)) return []
  const { lastSent: _lastSent, ...rest } = now
  return [{ ...rest, ...(rev !== undefined && now.ifMatch !== undefined && { ifMatch: rev }), tries: 0 }]
}

const queues = new Map<string, WriteQueue>()

export function ownQueue(): WriteQueue | null {
  const vault = ownVault()
  if (!vault) return null
  const known = queues.get(vault.person)
  if (known?.vault === vault) return known
  for (const other of queues.values()) other.close()
  queues.clear()
  const queue = new WriteQueue(vault)
  showPending([])
  queue.listen(() => showPending(queue.pending()))
  queues.set(vault.person, queue)
  return queue
}
