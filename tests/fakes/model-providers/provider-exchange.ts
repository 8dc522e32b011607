import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { ErrorName, FakeAnswer, FakeError, ProviderFormat } from './provider-format.ts'

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
export class ProviderExchange {
  readonly request: RecordedRequest
  readonly response: ServerResponse
  readonly format: ProviderFormat
  readonly isStreamed: boolean
  answer: FakeAnswer
  readonly wordDelayMs: number
  readonly slowMs: number
  readonly url: string
  readonly continueAfter: Promise<unknown> | undefined
  #isClosed = false

  constructor(
    parts: Pick<
      ProviderExchange,
      'request' | 'response' | 'format' | 'isStreamed' | 'answer' | 'wordDelayMs' | 'slowMs' | 'url' | 'continueAfter'
    >,
  ) {
    this.request = parts.request
    this.response = parts.response
    this.format = parts.format
    this.isStreamed = parts.isStreamed
    this.answer = parts.answer
    this.wordDelayMs = parts.wordDelayMs
    this.slowMs = parts.slowMs
    this.url = parts.url
    this.continueAfter = parts.continueAfter
    this.response.once('close', () => {
      this.#isClosed = true
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** All events of a complete stream, end mark included. */
  get events(): string[] {
    const { format, answer } = this
    return [
      ...format.formatOpening(answer),
      ...answer.tokens.map((word) => format.formatToken(word, answer)),
      ...format.formatClosing(answer),
      format.endMark,
    ]
  }

  /** The events up to and including the first `tokenCount` tokens. */
  getEventsUpTo(tokenCount: number): string[] {
    return [
      ...this.format.formatOpening(this.answer),
      ...this.answer.tokens.slice(0, tokenCount).map((word) => this.format.formatToken(word, this.answer)),
    ]
  }

  writeHead(status = 200, headers: Record<string, string> = {}): void {
    const type = this.isStreamed ? 'text/event-stream; charset=utf-8' : this.format.contentType
    this.response.writeHead(status, { 'content-type': type, ...this.format.createHeaders(), ...headers })
    this.response.flushHeaders()
  }

  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) resolve()
      else this.response.write(bytes, () => resolve())
    })
  }

  async writeEvents(events: string[]): Promise<void> {
    for (const event of events) {
      await this.write(event)
      await delay(this.wordDelayMs)
    }
  }

  async pause(ms: number): Promise<void> {
    if (!this.#isClosed) await delay(ms)
  }

  end(bytes?: string | Uint8Array): void {
    this.response.end(bytes)
  }

  async sendStream(events: string[]): Promise<void> {
    this.writeHead()
    await this.writeEvents(events)
    this.end()
  }

  sendBody(bytes: string | Uint8Array, headers: Record<string, string> = {}, status = 200): void {
    this.writeHead(status, { 'content-length': String(Buffer.byteLength(bytes)), ...headers })
    this.end(bytes)
  }

  /** Sends the good answer, streamed or complete. */
  async ok(): Promise<void> {
    if (!this.isStreamed) {
      await this.continueAfter
      return this.sendBody(this.format.formatBody(this.answer))
    }
    const firstHalf = this.getEventsUpTo(Math.ceil(this.answer.tokens.length / 2))
    this.writeHead()
    await this.writeEvents(firstHalf)
    await this.continueAfter
    await this.writeEvents(this.events.slice(firstHalf.length))
    this.end()
  }

  createError(name: ErrorName): FakeError {
    const { authorization = '', 'x-api-key': apiKey, 'xi-api-key': xiKey } = this.request.headers
    const key = String(apiKey ?? xiKey ?? authorization.replace(/^Bearer /, ''))
    return this.format.createError({ name, key, prompt: getLastPrompt(this.request.body), model: this.answer.model })
  }

  fail(name: ErrorName, headers: Record<string, string> = {}): void {
    const error = this.createError(name)
    const body = typeof error.body === 'string' ? error.body : JSON.stringify(error.body)
    this.sendBody(body, { 'content-type': 'application/json', ...error.headers, ...headers }, error.status)
  }

  /** Resets the connection, as a crashed server does. */
  reset(): void {
    this.response.socket?.resetAndDestroy()
  }

  /** Closes the connection, as an impatient proxy does. */
  cut(): void {
    this.response.socket?.destroy()
  }

  async waitUntilClosed(): Promise<void> {
    while (!this.#isClosed) await delay(10)
  }
}

export function getLastPrompt(body: unknown): string {
  const { messages, text } = (body ?? {}) as { messages?: { content: unknown }[]; text?: unknown }
  const content = messages?.at(-1)?.content ?? text
  if (typeof content === 'string') return content
  const [part] = Array.isArray(content) ? (content as { text?: unknown; content?: unknown }[]) : []
  // Tool results are nested one level deeper.
  const partText = part?.text ?? part?.content
  return typeof partText === 'string' ? partText : ''
}
