/** Opened at the first use, and again after the browser drops it, as Safari does with pages in the background. */
export class DatabaseConnection<Database> {
  readonly #connect: (onLost: () => void) => Promise<Database>
  #opened: Promise<Database> | undefined

  /** `connect` calls `onLost` once the connection can't be used anymore. */
  constructor(connect: (onLost: () => void) => Promise<Database>) {
    this.#connect = connect
  }

  /** Runs `task` again if the connection was lost: its transaction was rolled back. `requireAccess` can throw. */
  async use<Result>(task: (database: Database) => Promise<Result>, requireAccess = () => {}): Promise<Result> {
    const run = async () => {
      requireAccess()
      return task(await this.#open())
    }
    try {
      return await run()
    } catch (reason) {
      if (!isConnectionLost(reason)) throw reason
      this.detach()
      return run()
    }
  }

  /** Forgets the connection, if there is one, without closing it. */
  detach(): Promise<Database> | undefined {
    const opened = this.#opened
    this.#opened = undefined
    return opened
  }

  async #open(): Promise<Database> {
    this.#opened ??= this.#connect(() => this.detach())
    try {
      return await this.#opened
    } catch (reason) {
      this.detach()
      throw reason
    }
  }
}

const isConnectionLost = (reason: unknown) =>
  reason instanceof DOMException && ['InvalidStateError', 'UnknownError', 'AbortError'].includes(reason.name)

export const isQuotaExceeded = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'QuotaExceededError'
