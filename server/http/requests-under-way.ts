import type { Server, ServerResponse } from 'node:http'

/** The requests of a server that are not answered yet, so that it need not stop amid one. */
export class RequestsUnderWay {
  readonly #answers = new Set<ServerResponse>()
  #isEnding = false
  #allAnswered: (() => void) | undefined

  constructor(server: Server) {
    // Before whoever answers: a refusal is written at once, and its headers with it.
    server.prependListener('request', (_request, answer) => {
      if (this.#isEnding) return endingConnection(answer)
      this.#answers.add(answer)
      answer.once('close', () => this.leaveOut(answer))
    })
  }

  /** It is not waited for any more: an event stream that has begun goes on for as long as somebody listens. */
  leaveOut(answer: ServerResponse): void {
    this.#answers.delete(answer)
    if (this.#answers.size === 0) this.#allAnswered?.()
  }

  /** From now on every connection ends with its answer, and what comes yet is not waited for. */
  end(): void {
    this.#isEnding = true
    for (const answer of this.#answers) endingConnection(answer)
  }

  /** Waits until those that came before the end are answered, so long at most. */
  async answered(patienceMs: number): Promise<void> {
    if (this.#answers.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#allAnswered = resolve
    const timer = setTimeout(resolve, patienceMs)
    await promise
    clearTimeout(timer)
  }
}

function endingConnection(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('connection', 'close')
}
