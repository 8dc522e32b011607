import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Node's record of the response in progress on a connection. */
type AnsweringSocket = Socket & { _httpMessage?: ServerResponse | null }

/** Finds requests through their connections when stopping: a listener per response costs a quarter of the throughput. */
export class InFlightRequests {
  readonly #server: Server
  readonly #connections = new Set<AnsweringSocket>()
  readonly #streams = new WeakSet<ServerResponse>()
  readonly #awaited = new Set<ServerResponse>()
  #resolveAllAnswered: (() => void) | undefined

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (connection) => {
      this.#connections.add(connection)
      connection.once('close', () => this.#connections.delete(connection))
    })
  }

  get connections(): Iterable<Socket> {
    return this.#connections
  }

  excludeStream(response: ServerResponse): void {
    this.#streams.add(response)
    this.#settle(response)
  }

  startDraining(): void {
    for (const { _httpMessage: response } of this.#connections) {
      if (!response) continue
      closeConnectionAfter(response)
      if (this.#streams.has(response)) continue
      this.#awaited.add(response)
      response.once('close', () => this.#settle(response))
    }
    // Runs before other listeners, which may send headers right away.
    this.#server.prependListener('request', (_request, response) => closeConnectionAfter(response))
  }

  async waitForAnswers(timeoutMs: number): Promise<void> {
    if (this.#awaited.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#resolveAllAnswered = resolve
    const timer = setTimeout(resolve, timeoutMs)
    await promise
    clearTimeout(timer)
  }

  #settle(response: ServerResponse): void {
    this.#awaited.delete(response)
    if (this.#awaited.size === 0) this.#resolveAllAnswered?.()
  }
}

function closeConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}
