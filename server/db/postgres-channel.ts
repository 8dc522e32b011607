import pg from 'pg'
import { postgresError } from './postgres-failures.ts'

export interface Hearing {
  /** What was sent to the channel, in the order in which it was committed. */
  message(payload: string): void
  /** The connection broke and is there again: what was sent meanwhile was not heard. Nothing newer is told before it. */
  missed(): void
  /** The connection broke. */
  lost(error: Error | undefined): void
}

/** A connection that broke is tried again after so many ms, then twice that … */
const firstWaitMs = 200
const longestWaitMs = 10_000
/** A peer that went away without a word is noticed by a question without an answer; ms. */
const questionEveryMs = 20_000
const answerWithinMs = 5_000

/** One connection that does nothing but listen (`LISTEN`), and comes back after every break. */
export class PostgresChannel {
  readonly #config: pg.ClientConfig
  readonly #name: string
  readonly #hearing: Hearing
  #client: pg.Client | undefined
  #questions: NodeJS.Timeout | undefined
  #again: NodeJS.Timeout | undefined
  #closed = false

  /** `name`: letters and underscores. */
  constructor(config: pg.ClientConfig, name: string, hearing: Hearing) {
    this.#config = config
    this.#name = name
    this.#hearing = hearing
  }

  /** Throws a DatabaseError where the first connection fails; later ones are tried until they come about. */
  async open(): Promise<void> {
    await this.#connect(false)
    this.#questions = setInterval(() => void this.#ask(), questionEveryMs)
    this.#questions.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#questions)
    clearTimeout(this.#again)
    await this.#client?.end().catch(() => undefined)
  }

  async #connect(isBack: boolean): Promise<void> {
    const client = new pg.Client(this.#config)
    let held: string[] | undefined = []
    // It always ends with `end`, which is looked at below.
    let broke: Error | undefined
    client.on('error', (error) => (broke ??= error))
    client.on('notification', ({ payload = '' }) => {
      if (held) held.push(payload)
      else this.#hearing.message(payload)
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
    client.once('end', () => this.#lost(client, broke))
    if (isBack) this.#hearing.missed()
    for (const payload of held.splice(0)) this.#hearing.message(payload)
    held = undefined
  }

  #lost(client: pg.Client, error?: Error): void {
    if (this.#closed || this.#client !== client) return
    this.#client = undefined
    this.#hearing.lost(error)
    this.#comeBack(firstWaitMs)
  }

  #comeBack(waitMs: number): void {
    this.#again = setTimeout(
      () => {
        this.#connect(true).catch(() => {
          if (!this.#closed) this.#comeBack(Math.min(waitMs * 2, longestWaitMs))
        })
      },
      waitMs * (0.75 + Math.random() * 0.5),
    )
    this.#again.unref()
  }

  async #ask(): Promise<void> {
    const client = this.#client
    if (!client) return
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('no answer')), answerWithinMs)
    try {
      await Promise.race([client.query('select 1'), late.promise])
    } catch (error) {
      this.#lost(client, error as Error)
      void client.end().catch(() => undefined)
    } finally {
      clearTimeout(timer)
    }
  }
}
