import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Node's record of the response in progress on a connection. */
type Answering = Socket & { _httpMessage?: ServerResponse | null }

/** Read from the connections when stopping, since a listener per response costs a quarter of the throughput. */
export class RequestsUnderWay {
  readonly #server: Server
  readonly #connections = new Set<Answering>()
  readonly #streams = new WeakSet<ServerResponse>()
  readonly #awaited = new Set<ServerResponse>()
  #allAnswered: (() => void) | undefined

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

  /** Event streams aren't waited for. */
  leaveOut(answer: ServerResponse): void {
    this.#streams.add(answer)
    this.#settle(answer)
  }

  /** Closes every connection after its response and ignores later requests. */
  end(): void {
    for (const { _httpMessage: answer } of this.#connections) {
      if (!answer) continue
      endConnectionWith(answer)
      if (this.#streams.has(answer)) continue
      this.#awaited.add(answer)
      answer.once('close', () => this.#settle(answer))
    }
    // Runs before other listeners, which may send headers right away.
    this.#server.prependListener('request', (_request, answer) => endConnectionWith(answer))
  }

  /** Waits for the responses in progress, at most `patienceMs`. */
  async answered(patienceMs: number): Promise<void> {
    if (this.#awaited.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#allAnswered = resolve
    const timer = setTimeout(resolve, patienceMs)
    await promise
    clearTimeout(timer)
  }

  #settle(answer: ServerResponse): void {
    this.#awaited.delete(answer)
    if (this.#awaited.size === 0) this.#allAnswered?.()
  }
}

function endConnectionWith(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('connection', 'close')
}
