import { type RawBuilder, sql } from 'kysely'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { type Database, json } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import { newUnguessableId } from '#server/new-id.ts'

/** Happenings that say only what there is to ask for: ids and kinds. What is written on boards is none of them. */
export type PlainLiveEvent = Exclude<LiveEvent, { type: 'board-presence' | 'board-change' }>

/** What processes tell each other. Ids and kinds, never a text, a key or a token: whoever is told reads the rows. */
export type BusMessage =
  | { kind: 'live'; personId: string; event: PlainLiveEvent }
  | { kind: 'session-forgotten'; sessionId: string }
  | { kind: 'person-forgotten'; personId: string }
  /** A provider's key of somebody (a person's id or `platform`) changed. */
  | { kind: 'lists-forgotten'; owner: string; provider: string }
  | { kind: 'hosts-changed' }
  | { kind: 'model-services-changed' }
  /** What keys are sealed under: the file in the data folder is another. */
  | { kind: 'secret-changed' }
  /** Somebody at another process wants to see how far a run is, or left a word for it in the rows. */
  | { kind: 'run-asked-for'; runId: string }
  /** Somebody wants an import to go on whose archive lies in another data folder. */
  | { kind: 'import-wanted'; jobId: string }
  | { kind: 'board-guest'; boardId: string; tab: string }
  | { kind: 'board-change'; boardId: string; id: string }

type Kind = BusMessage['kind']

/** What each message names, all of it text; `live` has its event beside. */
const named: { [K in Kind]: readonly (keyof Extract<BusMessage, { kind: K }>)[] } = {
  live: ['personId'],
  'session-forgotten': ['sessionId'],
  'person-forgotten': ['personId'],
  'lists-forgotten': ['owner', 'provider'],
  'hosts-changed': [],
  'model-services-changed': [],
  'secret-changed': [],
  'run-asked-for': ['runId'],
  'import-wanted': ['jobId'],
  'board-guest': ['boardId', 'tab'],
  'board-change': ['boardId', 'id'],
}

type Heard<K extends Kind> = (message: Extract<BusMessage, { kind: K }>) => void

const channel = 'keeper'
/** PostgreSQL takes fewer than 8000 bytes; ids and kinds are ASCII. */
const mostBytes = 7500
/** So many wait at most while the database is away; with more, the others are told to look at everything. */
const mostWaiting = 10_000
const againMs = 500

interface Packet {
  /** The process that knows it already; `null`: all are to hear it. */
  from: string | null
  /** Left out: others are to look at everything again. */
  messages?: BusMessage[]
}

/**
 * Tells the other processes on the same PostgreSQL what happened, and hears them: one listening connection for each.
 * On SQLite there is nobody to tell, and all of it does nothing.
 */
export class ProcessBus {
  /** Of this process. */
  readonly #id = newUnguessableId()
  readonly #listeners = new Map<Kind, Set<(message: BusMessage) => void>>()
  readonly #missedListeners = new Set<() => void>()
  #waiting: BusMessage[] = []
  #overflown = false
  #closing = false
  #sending: Promise<void> | undefined
  #db: Database | undefined
  #log: Log | undefined
  #connection: { close(): Promise<void> } | undefined

  /** Whether other processes may be there, from `open` to `close`; also while the connection comes back. */
  get isOpen(): boolean {
    return this.#connection !== undefined
  }

  /** Begins to listen; on SQLite it does nothing. Throws a DatabaseError when the connection cannot be made. */
  async open(db: Database, log: Log): Promise<void> {
    const { engineDriver } = db
    if (!engineDriver.listen) return
    this.#db = db
    this.#log = log
    this.#connection = await engineDriver.listen(channel, {
      message: (payload) => this.#hear(payload),
      missed: () => {
        log.info('other processes are heard again')
        this.#tellMissed()
      },
      lost: (error) => log.warn({ err: error }, 'other processes are not heard: the connection broke'),
    })
  }

  async close(): Promise<void> {
    this.#closing = true
    await this.#sending
    const connection = this.#connection
    this.#connection = undefined
    await connection?.close()
  }

  /** To every other process, soon and in this order; what happened is written before. */
  send(message: BusMessage): void {
    if (!this.isOpen) return
    if (this.#waiting.length < mostWaiting) this.#waiting.push(message)
    else this.#overflown = true
    this.#sending ??= this.#sendAll()
  }

  /** To every process, this one too, when the batch in which it stands is committed, and in the order of the commits. */
  sending(message: Extract<BusMessage, { boardId: string }>): RawBuilder<unknown> {
    return sql`select pg_notify(${channel}, ${packed({ from: null, messages: [message] })})`
  }

  /** What another process sent. Returns the function that ends it. */
  on<K extends Kind>(kind: K, heard: Heard<K>): () => void {
    const listeners = this.#listeners.get(kind) ?? new Set()
    this.#listeners.set(kind, listeners)
    const listener = heard as (message: BusMessage) => void
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** Something may have been sent that was not heard: look again. Returns the function that ends it. */
  onMissed(listener: () => void): () => void {
    this.#missedListeners.add(listener)
    return () => this.#missedListeners.delete(listener)
  }

  #hear(payload: string): void {
    const { from, messages } = this.#packetIn(payload)
    if (from === this.#id) return
    if (!messages) this.#tellMissed()
    for (const message of messages ?? [])
      for (const listener of [...(this.#listeners.get(message.kind) ?? [])]) listener(message)
  }

  /** Whoever may connect to the database may say anything here: what is no packet is nothing, and ends no process. */
  #packetIn(payload: string): Packet {
    try {
      return checked(JSON.parse(payload))
    } catch (error) {
      this.#log?.warn({ err: error }, 'something else was said on the channel of Keeper')
      return { from: this.#id }
    }
  }

  #tellMissed(): void {
    for (const listener of [...this.#missedListeners]) listener()
  }

  async #sendAll(): Promise<void> {
    // What is told in one go travels in one go.
    await Promise.resolve()
    while (this.#db && this.isOpen && (this.#waiting.length > 0 || this.#overflown))
      if (!(await this.#sendWaiting(this.#db)) && this.#closing) break
    // Not a turn later: what is sent in between would wait for the next message.
    this.#sending = undefined
  }

  /** `false`: it waits for another try. */
  async #sendWaiting(db: Database): Promise<boolean> {
    const messages = this.#waiting.splice(0)
    const overflown = this.#overflown
    const packets = [...packetsOf(this.#id, messages), ...(overflown ? [packed({ from: this.#id })] : [])]
    this.#overflown = false
    try {
      const each = sql`jsonb_array_elements_text(${json(packets)}::jsonb)`
      await db.write(sql`select pg_notify(${channel}, packet) from ${each} packet`)
      return true
    } catch (error) {
      this.#log?.warn({ err: error }, 'other processes could not be told')
      const all = [...messages, ...this.#waiting]
      this.#overflown ||= overflown || all.length > mostWaiting
      this.#waiting = all.slice(0, mostWaiting)
      await new Promise((resolve) => setTimeout(resolve, againMs).unref())
      return false
    }
  }
}

function checked(given: unknown): Packet {
  if (!isObject(given) || (given.from !== null && typeof given.from !== 'string'))
    throw new TypeError('A packet says who it is from')
  const { from, messages } = given
  if (messages === undefined) return { from }
  if (!Array.isArray(messages)) throw new TypeError('A packet has a list of messages')
  // One of a kind that only a later Keeper knows leaves the others as they are.
  return { from, messages: messages.filter(isMessage) }
}

function isMessage(given: unknown): given is BusMessage {
  if (!isObject(given) || !Object.hasOwn(named, String(given.kind))) return false
  if (given.kind === 'live' && !(isObject(given.event) && typeof given.event.type === 'string')) return false
  return named[given.kind as Kind].every((name) => typeof given[name] === 'string')
}

function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null
}

function packed(packet: Packet): string {
  return JSON.stringify(packet)
}

function packetsOf(from: string, messages: BusMessage[]): string[] {
  const packets: BusMessage[][] = []
  let bytes = mostBytes
  for (const message of messages) {
    const length = JSON.stringify(message).length + 1
    if (bytes + length > mostBytes) {
      packets.push([])
      bytes = packed({ from, messages: [] }).length
    }
    packets.at(-1)?.push(message)
    bytes += length
  }
  return packets.map((some) => packed({ from, messages: some }))
}
