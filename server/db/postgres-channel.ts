import pg from 'pg'
import { withDeadline } from '#server/values/with-deadline.ts'
import { toPostgresError } from './postgres-failures.ts'

export interface ChannelListener {
  onMessage(payload: string): void
  /** The connection was restored, so messages may be missing. Called before any newer message. */
  onMissed(): void
  onLost(error: Error | undefined): void
}

const initialReconnectMs = 200
const maxReconnectMs = 10_000
const pingIntervalMs = 20_000
const pingTimeoutMs = 5_000

export class PostgresChannel {
  readonly #config: pg.ClientConfig
  readonly #name: string
  readonly #listener: ChannelListener
  #client: pg.Client | undefined
  #pingTimer: NodeJS.Timeout | undefined
  #reconnectTimer: NodeJS.Timeout | undefined
  #closed = false

  constructor(config: pg.ClientConfig, name: string, listener: ChannelListener) {
    this.#config = config
    this.#name = name
    this.#listener = listener
  }

  async open(): Promise<void> {
    await this.#connect(false)
    this.#pingTimer = setInterval(() => void this.#ping(), pingIntervalMs)
    this.#pingTimer.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#pingTimer)
    clearTimeout(this.#reconnectTimer)
    await this.#client?.end().catch(() => undefined)
  }

  async #connect(isReconnect: boolean): Promise<void> {
    const client = new pg.Client(this.#config)
    let pendingPayloads: string[] | undefined = []
    let connectionError: Error | undefined
    client.on('error', (error) => (connectionError ??= error))
    client.on('notification', ({ payload = '' }) => {
      if (pendingPayloads) pendingPayloads.push(payload)
      else this.#listener.onMessage(payload)
    })
    try {
      await client.connect()
      await client.query(`listen ${this.#name}`)
    } catch (error) {
      void client.end().catch(() => undefined)
      throw toPostgresError(error)
    }
    if (this.#closed) return void (await client.end())
    this.#client = client
    client.once('end', () => this.#handleLost(client, connectionError))
    if (isReconnect) this.#listener.onMissed()
    for (const payload of pendingPayloads.splice(0)) this.#listener.onMessage(payload)
    pendingPayloads = undefined
  }

  #handleLost(client: pg.Client, error?: Error): void {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    this.#listener.onLost(error)
    this.#scheduleReconnect(initialReconnectMs)
  }

  #scheduleReconnect(waitMs: number): void {
    this.#reconnectTimer = setTimeout(
      () => {
        this.#connect(true).catch(() => {
          if (!this.#closed) this.#scheduleReconnect(Math.min(waitMs * 2, maxReconnectMs))
        })
      },
      waitMs * (0.75 + Math.random() * 0.5),
    )
    this.#reconnectTimer.unref()
  }

  async #ping(): Promise<void> {
    const client = this.#client
    if (!client) return
    try {
      const ping = client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"')
      const { rows } = await withDeadline(ping, pingTimeoutMs, () => new Error('no answer'))
      if (rows[0]?.isStandby) throw new Error('the server became a standby')
    } catch (error) {
      this.#handleLost(client, error as Error)
      void client.end().catch(() => undefined)
    }
  }
}
