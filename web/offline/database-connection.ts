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
    requireAccess()
    const opened = this.#open()
    try {
      return await task(await opened)
    } catch (reason) {
      if (!isConnectionLost(reason)) throw reason
      this.#forget(opened)
      requireAccess()
      return task(await this.#open())
    }
  }

  /** Forgets the connection, if there is one, without closing it. */
  detach(): Promise<Database> | undefined {
    const opened = this.#opened
    this.#opened = undefined
    return opened
  }

  #open(): Promise<Database> {
    if (!this.#opened) {
      const opened = this.#connect(() => this.#forget(opened))
      opened.catch(() => this.#forget(opened))
      this.#opened = opened
    }
    return this.#opened
  }

  /** Another use may have connected again since. */
  #forget(opened: Promise<Database>): void {
    if (this.#opened === opened) this.#opened = undefined
  }
}

const isConnectionLost = (reason: unknown) =>
  reason instanceof DOMException && ['InvalidStateError', 'UnknownError', 'AbortError'].includes(reason.name)

export const isQuotaExceeded = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'QuotaExceededError'
