import pg from 'pg'
import { postgresError } from './postgres-failures.ts'

export interface ChannelListener {
  message(payload: string): void
  /** The connection was restored, so messages may be missing. Called before any newer message. */
  missed(): void
  lost(error: Error | undefined): void
}

const firstWaitMs = 200
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
    let pending: string[] | undefined = []
    let broke: Error | undefined
    client.on('error', (error) => (broke ??= error))
    client.on('notification', ({ payload = '' }) => {
      if (pending) pending.push(payload)
      else this.#listener.message(payload)
    })
    try {
      await client.connect()
      await client.query(`listen ${this.#name}`)
    } catch (error) {
      void client.end().catch(() => undefined)
      throw postgresError(error)
    }
    if (this.#closed) return void (await client.end())
    this.#client = client
    client.once('end', () => this.#handleLost(client, broke))
    if (isReconnect) this.#listener.missed()
    for (const payload of pending.splice(0)) this.#listener.message(payload)
    pending = undefined
  }

  #handleLost(client: pg.Client, error?: Error): void {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    this.#listener.lost(error)
    this.#scheduleReconnect(firstWaitMs)
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
    const timeout = Promise.withResolvers<never>()
    const timer = setTimeout(() => timeout.reject(new Error('no answer')), pingTimeoutMs)
    try {
      await Promise.race([client.query('select 1'), timeout.promise])
    } catch (error) {
      this.#handleLost(client, error as Error)
      void client.end().catch(() => undefined)
    } finally {
      clearTimeout(timer)
    }
  }
}
