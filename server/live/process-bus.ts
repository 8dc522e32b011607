import { type RawBuilder, sql } from 'kysely'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { type Database, json } from '#server/db/database.ts'
import type { Log } from '#server/http/log.ts'
import { isObject } from '#server/values/is-object.ts'
import { newUnguessableId } from '#server/values/new-id.ts'

export type PlainLiveEvent = Exclude<LiveEvent, { type: 'board-presence' | 'board-change' }>

/** Messages between processes: ids and kinds, never texts, keys or tokens. Receivers read the rows. */
export type BusMessage =
  | { kind: 'live'; personId: string; event: PlainLiveEvent }
  | { kind: 'session-forgotten'; sessionId: string }
  | { kind: 'person-forgotten'; personId: string }
  /** A provider key of `owner` (a person's id or `platform`) changed. */
  | { kind: 'lists-forgotten'; owner: string; provider: string }
  | { kind: 'hosts-changed' }
  | { kind: 'model-services-changed' }
  | { kind: 'secret-changed' }
  /** Another process wants a run's progress, or left a command for it in the database. */
  | { kind: 'run-asked-for'; runId: string }
  | { kind: 'import-wanted'; jobId: string }
  | { kind: 'board-guest'; boardId: string; tab: string }
  | { kind: 'board-change'; boardId: string; id: string }

type BusMessageKind = BusMessage['kind']

const messageFields: { [K in BusMessageKind]: readonly (keyof Extract<BusMessage, { kind: K }>)[] } = {
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

type BusListener<K extends BusMessageKind> = (message: Extract<BusMessage, { kind: K }>) => void

const channel = 'keeper'
/** PostgreSQL allows less than 8000 bytes; ids and kinds are ASCII. */
const maxPacketBytes = 7500
const maxWaitingMessages = 10_000
const retryDelayMs = 500

interface BusPacket {
  /** The sending process, which ignores the packet; `null`: no process ignores it. */
  from: string | null
  messages?: BusMessage[]
}

/** Exchanges messages with other processes on the same PostgreSQL, over one listening connection each. Does nothing on SQLite. */
export class ProcessBus {
  readonly #id = newUnguessableId()
  readonly #listeners = new Map<BusMessageKind, Set<(message: BusMessage) => void>>()
  readonly #missedListeners = new Set<() => void>()
  #waitingMessages: BusMessage[] = []
  #hasOverflowed = false
  #isClosing = false
  #sending: Promise<void> | undefined
  #db: Database | undefined
  #log: Log | undefined
  #connection: { close(): Promise<void> } | undefined

  /** True while listening on PostgreSQL: other processes can exist. */
  get isOpen(): boolean {
    return this.#connection !== undefined
  }

  /** Starts listening; does nothing on SQLite. @throws DatabaseError if the connection fails */
  async open(db: Database, log: Log): Promise<void> {
    const { engineDriver } = db
    if (!engineDriver.listen) return
    this.#db = db
    this.#log = log
    this.#connection = await engineDriver.listen(channel, {
      onMessage: (payload) => this.#receive(payload),
      onMissed: () => {
        log.info('listening to other processes again')
        this.#notifyMissed()
      },
      onLost: (error) => log.warn({ err: error }, 'not listening to other processes: the connection was lost'),
    })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#sending
    const connection = this.#connection
    this.#connection = undefined
    await connection?.close()
  }

  /** Sends to every other process, in order. Call it after committing the change. */
  send(message: BusMessage): void {
    if (!this.isOpen) return
    if (this.#waitingMessages.length < maxWaitingMessages) this.#waitingMessages.push(message)
    else this.#hasOverflowed = true
    this.#sending ??= this.#sendAll()
  }

  /** A statement that sends to every process, including this one, when its batch is committed. */
  sendInBatch(message: Extract<BusMessage, { boardId: string }>): RawBuilder<unknown> {
    return sql`select pg_notify(${channel}, ${serializePacket({ from: null, messages: [message] })})`
  }

  on<K extends BusMessageKind>(kind: K, onMessage: BusListener<K>): () => void {
    const listeners = this.#listeners.get(kind) ?? new Set()
    this.#listeners.set(kind, listeners)
    const listener = onMessage as (message: BusMessage) => void
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** Calls the listener when messages may have been lost, so that it reads everything again. Returns an unsubscriber. */
  onMissed(listener: () => void): () => void {
    this.#missedListeners.add(listener)
    return () => this.#missedListeners.delete(listener)
  }

  #receive(payload: string): void {
    const { from, messages } = this.#readPacket(payload)
    if (from === this.#id) return
    if (!messages) this.#notifyMissed()
    for (const message of messages ?? [])
      for (const listener of [...(this.#listeners.get(message.kind) ?? [])]) listener(message)
  }

  /** Every database user can write to the channel, so anything but a packet is ignored. */
  #readPacket(payload: string): BusPacket {
    try {
      return parsePacket(JSON.parse(payload))
    } catch (error) {
      this.#log?.warn({ err: error }, 'ignoring an unknown message on the notification channel')
      return { from: this.#id }
    }
  }

  #notifyMissed(): void {
    for (const listener of [...this.#missedListeners]) listener()
  }

  async #sendAll(): Promise<void> {
    // Collects the messages of this tick.
    await Promise.resolve()
    while (this.#db && this.isOpen && (this.#waitingMessages.length > 0 || this.#hasOverflowed))
      if (!(await this.#sendWaiting(this.#db)) && this.#isClosing) break
    // Cleared right away, or messages sent now would wait until `send` is called again.
    this.#sending = undefined
  }

  async #sendWaiting(db: Database): Promise<boolean> {
    const messages = this.#waitingMessages.splice(0)
    const hadOverflow = this.#hasOverflowed
    const packets = [...toPackets(this.#id, messages), ...(hadOverflow ? [serializePacket({ from: this.#id })] : [])]
    this.#hasOverflowed = false
    try {
      const packetRows = sql`jsonb_array_elements_text(${json(packets)}::jsonb)`
      await db.write(sql`select pg_notify(${channel}, packet) from ${packetRows} packet`)
      return true
    } catch (error) {
      this.#log?.warn({ err: error }, 'other processes could not be notified')
      const unsent = [...messages, ...this.#waitingMessages]
      this.#hasOverflowed ||= hadOverflow || unsent.length > maxWaitingMessages
      this.#waitingMessages = unsent.slice(0, maxWaitingMessages)
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs).unref())
      return false
    }
  }
}

function parsePacket(input: unknown): BusPacket {
  if (!isObject(input) || (input.from !== null && typeof input.from !== 'string'))
    throw new TypeError('A packet must name its sender')
  const { from, messages } = input
  if (messages === undefined) return { from }
  if (!Array.isArray(messages)) throw new TypeError('A packet must have a list of messages')
  return { from, messages: messages.filter(isMessage) }
}

function isMessage(input: unknown): input is BusMessage {
  if (!isObject(input) || !Object.hasOwn(messageFields, String(input.kind))) return false
  if (input.kind === 'live' && !(isObject(input.event) && typeof input.event.type === 'string')) return false
  return messageFields[input.kind as BusMessageKind].every((name) => typeof input[name] === 'string')
}

function serializePacket(packet: BusPacket): string {
  return JSON.stringify(packet)
}

function toPackets(from: string, messages: BusMessage[]): string[] {
  const packets: BusMessage[][] = []
  // Full, so that the first message starts a packet.
  let packetBytes = maxPacketBytes
  for (const message of messages) {
    const length = JSON.stringify(message).length + 1
    if (packetBytes + length > maxPacketBytes) {
      packets.push([])
      packetBytes = serializePacket({ from, messages: [] }).length
    }
    packets.at(-1)?.push(message)
    packetBytes += length
  }
  return packets.map((packetMessages) => serializePacket({ from, messages: packetMessages }))
}
