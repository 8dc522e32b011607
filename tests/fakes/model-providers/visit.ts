import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { ErrorName, FakeAnswer, FakeError, Speech } from './speech.ts'

export interface RecordedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The parsed JSON body, the raw text if it isn't JSON, or null without a body. */
  body: unknown
  /** The client's port identifies its connection. */
  port: number | undefined
}

/** One request to the fake, with the ways to answer it. */
export class Visit {
  readonly request: RecordedRequest
  readonly response: ServerResponse
  readonly speech: Speech
  readonly stream: boolean
  answer: FakeAnswer
  readonly wordDelayMs: number
  readonly slowMs: number
  readonly url: string
  readonly rest: Promise<unknown> | undefined
  #closed = false

  constructor(
    parts: Pick<
      Visit,
      'request' | 'response' | 'speech' | 'stream' | 'answer' | 'wordDelayMs' | 'slowMs' | 'url' | 'rest'
    >,
  ) {
    this.request = parts.request
    this.response = parts.response
    this.speech = parts.speech
    this.stream = parts.stream
    this.answer = parts.answer
    this.wordDelayMs = parts.wordDelayMs
    this.slowMs = parts.slowMs
    this.url = parts.url
    this.rest = parts.rest
    this.response.once('close', () => {
      this.#closed = true
    })
  }

  get closed(): boolean {
    return this.#closed
  }

  /** All events of a complete stream, end mark included. */
  get events(): string[] {
    const { speech, answer } = this
    return [
      ...speech.opening(answer),
      ...answer.words.map((word) => speech.word(word, answer)),
      ...speech.closing(answer),
      speech.endMark,
    ]
  }

  /** The events up to and including the first `tokenCount` tokens. */
  eventsUpTo(words: number): string[] {
    return [
      ...this.speech.opening(this.answer),
      ...this.answer.words.slice(0, words).map((word) => this.speech.word(word, this.answer)),
    ]
  }

  head(status = 200, headers: Record<string, string> = {}): void {
    const type = this.stream ? 'text/event-stream; charset=utf-8' : this.speech.contentType
    this.response.writeHead(status, { 'content-type': type, ...this.speech.headers(), ...headers })
    this.response.flushHeaders()
  }

  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (this.#closed) resolve()
      else this.response.write(bytes, () => resolve())
    })
  }

  async writeEvents(events: string[]): Promise<void> {
    for (const event of events) {
      await this.write(event)
      await pause(this.wordDelayMs)
    }
  }

  async pause(ms: number): Promise<void> {
    if (!this.#closed) await pause(ms)
  }

  end(bytes?: string | Uint8Array): void {
    this.response.end(bytes)
  }

  async streamed(events: string[]): Promise<void> {
    this.head()
    await this.writeEvents(events)
    this.end()
  }

  whole(bytes: string | Uint8Array, headers: Record<string, string> = {}, status = 200): void {
    this.head(status, { 'content-length': String(Buffer.byteLength(bytes)), ...headers })
    this.end(bytes)
  }

  /** Sends the good answer, streamed or complete. */
  async ok(): Promise<void> {
    if (!this.stream) return this.whole(this.speech.whole(this.answer))
    const begun = this.eventsUpTo(Math.ceil(this.answer.words.length / 2))
    this.head()
    await this.writeEvents(begun)
    await this.rest
    await this.writeEvents(this.events.slice(begun.length))
    this.end()
  }

  errorOf(name: ErrorName): FakeError {
    const { authorization = '', 'x-api-key': apiKey, 'xi-api-key': xiKey } = this.request.headers
    const key = String(apiKey ?? xiKey ?? authorization.replace(/^Bearer /, ''))
    return this.speech.error({ name, key, prompt: promptOf(this.request.body), model: this.answer.model })
  }

  fail(name: ErrorName, headers: Record<string, string> = {}): void {
    const error = this.errorOf(name)
    const body = typeof error.body === 'string' ? error.body : JSON.stringify(error.body)
    this.whole(body, { 'content-type': 'application/json', ...error.headers, ...headers }, error.status)
  }

  /** Resets the connection, as a crashed peer does. */
  reset(): void {
    this.response.socket?.resetAndDestroy()
  }

  /** Closes the connection, as an impatient proxy does. */
  cut(): void {
    this.response.socket?.destroy()
  }

  async untilClosed(): Promise<void> {
    while (!this.#closed) await pause(10)
  }
}

export function promptOf(body: unknown): string {
  const { messages, text } = (body ?? {}) as { messages?: { content: unknown }[]; text?: unknown }
  const content = messages?.at(-1)?.content ?? text
  if (typeof content === 'string') return content
  const [part] = Array.isArray(content) ? (content as { text?: unknown; content?: unknown }[]) : []
  // Tool results are nested one level deeper.
  const said = part?.text ?? part?.content
  return typeof said === 'string' ? said : ''
}
