import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Node's own note of what it is answering on a connection; none between two requests. */
type Answering = Socket & { _httpMessage?: ServerResponse | null }

/**
 * The requests of a server that are not answered yet, so that it need not stop amid one. Asked of the connections when it
 * stops: a listener for the end of each answer costs a quarter of all creates.
 */
export class RequestsUnderWay {
  readonly #server: Server
  readonly #connections = new Set<Answering>()
  readonly #streams = new WeakSet<ServerResponse>()
  /** Those that were there when it was told to end. */
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

  /** It is not waited for: an event stream that has begun goes on for as long as somebody listens. */
  leaveOut(answer: ServerResponse): void {
    this.#streams.add(answer)
    this.#settle(answer)
  }

  /** From now on every connection ends with its answer, and what comes yet is not waited for. */
  end(): void {
    for (const { _httpMessage: answer } of this.#connections) {
      if (!answer) continue
      endConnectionWith(answer)
      if (this.#streams.has(answer)) continue
      this.#awaited.add(answer)
      answer.once('close', () => this.#settle(answer))
    }
    // Before whoever answers: a refusal is written at once, and its headers with it.
    this.#server.prependListener('request', (_request, answer) => endConnectionWith(answer))
  }

  /** Waits until those that came before the end are answered, so long at most; ms. */
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
