import type { AnswerPart, AnswerReader, TokenCounts } from './chat-api.ts'
import { type Exchange, type ProviderResponse, readBodyChunks } from './http-exchange.ts'
import { parseJson } from './json-values.ts'
import { isProviderError, readProviderError } from './provider-error.ts'
import { toEmbeddedFailure } from './translate-failure.ts'

export interface ServerSentEvent {
  name: string
  data: string
}

/** `push` throws a RangeError for an event over the limit and a TypeError for invalid UTF-8. */
export class EventStreamParser {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  readonly #maxEventBytes: number
  #line = ''
  #name = ''
  #data: string[] = []
  #bytesSinceEvent = 0
  #endedWithCarriageReturn = false
  #isAtStart = true

  constructor(maxEventBytes: number) {
    this.#maxEventBytes = maxEventBytes
  }

  push(bytes: Uint8Array): ServerSentEvent[] {
    this.#bytesSinceEvent += bytes.byteLength
    const events = this.#parse(this.#decoder.decode(bytes, { stream: true }))
    if (this.#bytesSinceEvent > this.#maxEventBytes) throw new RangeError('A server-sent event is too large.')
    return events
  }

  /** Flushes the last event, because some servers omit the final blank line. */
  end(): ServerSentEvent[] {
    return this.#parse(`${this.#decoder.decode()}\n\n`)
  }

  #parse(text: string): ServerSentEvent[] {
    if (text === '') return []
    if (this.#isAtStart && text.startsWith('\uFEFF'))
      throw new TypeError('The event stream starts with a byte order mark.')
    this.#isAtStart = false
    // A CRLF can be split over two chunks; its LF must not count as a blank line.
    const remainingText = this.#endedWithCarriageReturn && text.startsWith('\n') ? text.slice(1) : text
    this.#endedWithCarriageReturn = text.endsWith('\r')

    const events: ServerSentEvent[] = []
    const lines = remainingText.split(/\r\n|\r|\n/)
    const remaining = lines.pop() ?? ''
    for (const line of lines) {
      this.#endLine(this.#line + line, events)
      this.#line = ''
    }
    this.#line += remaining
    return events
  }

  #endLine(line: string, events: ServerSentEvent[]): void {
    if (line !== '') {
      this.#readField(line)
      return
    }
    const data = this.#data.join('\n')
    if (data.length > this.#maxEventBytes) throw new RangeError('A server-sent event is too large.')
    if (this.#data.length > 0) events.push({ name: this.#name, data })
    this.#name = ''
    this.#data = []
    this.#bytesSinceEvent = 0
  }

  #readField(line: string): void {
    const colonIndex = line.indexOf(':')
    const field = colonIndex === -1 ? line : line.slice(0, colonIndex)
    const value = colonIndex === -1 ? '' : line.slice(colonIndex + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#name = value
  }
}

export interface AnswerText {
  text: string
  reasoning: string
}

/** OpenAI's marker; proxies also send it after answers of other APIs. */
const endMarker = '[DONE]'

interface AnswerReadingState {
  exchange: Exchange
  reader: AnswerReader
  continuation: string | undefined
  hasReceivedParts: boolean
}

/** The first bytes decide whether the answer is streamed. Returns the continuation token, if any. */
export async function* readAnswer(
  response: ProviderResponse,
  exchange: Exchange,
  reader: AnswerReader,
): AsyncGenerator<AnswerText, string | undefined> {
  const state: AnswerReadingState = { exchange, reader, continuation: undefined, hasReceivedParts: false }
  const chunks = readBodyChunks(response.body, exchange)
  try {
    const { startChunks, firstCharacter } = await readStart(chunks, exchange)
    if (exchange.failure) return undefined
    const readContent = ['{', '['].includes(firstCharacter) ? readJsonAnswer : readEventStream
    for await (const content of readContent(startChunks, chunks, state)) {
      if (content.text !== '' || content.reasoning !== '') yield content
      if (exchange.failure) return undefined
    }
  } finally {
    await chunks.return?.(undefined)
  }
  return state.continuation
}

async function readStart(
  chunks: AsyncIterator<Uint8Array>,
  exchange: Exchange,
): Promise<{ startChunks: Uint8Array[]; firstCharacter: string }> {
  const startChunks: Uint8Array[] = []
  for (;;) {
    const next = await chunks.next()
    if (next.done) return { startChunks, firstCharacter: '' }
    startChunks.push(next.value)
    const text = Buffer.from(next.value).toString('latin1').trimStart()
    if (text === '') continue
    // A proxy's page isn't an answer and costs nothing.
    if (text.startsWith('<')) exchange.hasAnswerStarted = false
    return { startChunks, firstCharacter: text.slice(0, 1) }
  }
}

async function* concatChunks(
  startChunks: Uint8Array[],
  remainingChunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* startChunks
  yield* remainingChunks
}

async function* readJsonAnswer(
  startChunks: Uint8Array[],
  remainingChunks: AsyncIterable<Uint8Array>,
  state: AnswerReadingState,
): AsyncGenerator<AnswerText> {
  const { exchange, reader } = state
  const value = await readJson(startChunks, remainingChunks, exchange)
  const part = reader.readWhole(value)
  if (part === undefined) {
    failWithoutAnswer(value, exchange)
    return
  }
  const content = recordPart(part, exchange)
  const remaining = reader.end?.()
  state.continuation = part.continuation
  exchange.isComplete ||= exchange.finishReason !== undefined && !exchange.failure
  yield {
    text: content.text + (remaining?.text ?? ''),
    reasoning: content.reasoning + (remaining?.reasoning ?? ''),
  }
}

/** Some gateways report a failure with status 200 and only a message. */
function failWithoutAnswer(value: unknown, exchange: Exchange): void {
  if (readProviderError(value).message === '') {
    exchange.failAs('provider-protocol')
    return
  }
  exchange.hasAnswerStarted = false
  exchange.fail(toEmbeddedFailure(exchange.context, value))
}

async function* readEventStream(
  startChunks: Uint8Array[],
  remainingChunks: AsyncIterable<Uint8Array>,
  state: AnswerReadingState,
): AsyncGenerator<AnswerText> {
  const { exchange, reader } = state
  const parser = new EventStreamParser(exchange.limits.maxEventBytes)
  try {
    for await (const chunk of concatChunks(startChunks, remainingChunks)) {
      exchange.resetSilence()
      yield readEvents(parser.push(chunk), state)
      if (exchange.failure || exchange.isComplete || state.continuation) break
    }
    if (!exchange.failure && !exchange.isComplete && !state.continuation) yield readEvents(parser.end(), state)
    if (exchange.failure) return
    const remaining = reader.end?.()
    yield { text: remaining?.text ?? '', reasoning: remaining?.reasoning ?? '' }
    if (exchange.isComplete || state.continuation) return
    // The connection closed cleanly, so the finish reason decides whether the answer is complete.
    if (exchange.finishReason !== undefined) exchange.isComplete = true
    else exchange.failAs('provider-protocol', { retryable: state.hasReceivedParts })
  } catch {
    exchange.failAs('provider-protocol')
  }
}

function readEvents(events: ServerSentEvent[], state: AnswerReadingState): AnswerText {
  const { exchange } = state
  const collected: AnswerText = { text: '', reasoning: '' }
  try {
    for (const event of events) {
      for (const part of readParts(event, state)) {
        if (part.error !== undefined && !state.hasReceivedParts) exchange.hasAnswerStarted = false
        if (part.end && Object.keys(part).length === 1 && !state.hasReceivedParts)
          exchange.failAs('provider-protocol', { retryable: true })
        state.hasReceivedParts ||= Object.keys(part).length > 0
        const content = recordPart(part, exchange)
        if (exchange.failure) return collected
        state.continuation = part.continuation ?? state.continuation
        collected.text += content.text
        collected.reasoning += content.reasoning
        if (exchange.isComplete || state.continuation) return collected
      }
    }
  } catch {
    exchange.failAs('provider-protocol')
  }
  return collected
}

/** Some servers omit the blank line between events, so their data arrives as several lines of one event. */
function* readParts({ name, data }: ServerSentEvent, { reader }: AnswerReadingState): Generator<AnswerPart> {
  const parsedWhole = parseJson(data)
  const documents = parsedWhole === undefined && data.includes('\n') ? data.split('\n') : [data]
  for (const document of documents) {
    if (document.trim() === endMarker) yield { end: true }
    else if (document.trim() !== '') yield reader.readEvent(name, parsedWhole ?? JSON.parse(document))
  }
}

function recordPart(part: AnswerPart, exchange: Exchange): AnswerText {
  if (part.error !== undefined) exchange.fail(toEmbeddedFailure(exchange.context, part.error))
  if (exchange.failure) return { text: '', reasoning: '' }
  if (isMeaningful(part)) exchange.recordProgress()
  // Some providers send `stop` after a refusal; the refusal stays.
  if (part.finish !== undefined && !(part.finish === 'stop' && exchange.finishReason === 'refusal')) {
    exchange.finishReason = part.finish
    exchange.unknownFinishReason = part.unknownFinishReason
  }
  if (part.restart) exchange.toolCalls.clear()
  for (const call of part.toolCalls ?? []) exchange.toolCalls.add(call)
  // Some providers send running counts with each chunk, some split them over two events.
  for (const [name, count] of Object.entries(part.tokens ?? {}) as [keyof TokenCounts, number | undefined][])
    if (count !== undefined) exchange.tokens[name] = Math.max(count, exchange.tokens[name] ?? 0)
  if (part.end) exchange.isComplete = true
  return { text: part.text ?? '', reasoning: part.reasoning ?? '' }
}

function isMeaningful({ text, reasoning, toolCalls, finish, tokens, end }: AnswerPart): boolean {
  return Boolean(text || reasoning || toolCalls?.length || finish || tokens || end)
}

/** @throws ModelFailure if the answer is incomplete, not UTF-8, not JSON, too large, or an error */
export async function readJson(
  startChunks: Uint8Array[],
  remainingChunks: AsyncIterable<Uint8Array>,
  exchange: Exchange,
): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of concatChunks(startChunks, remainingChunks)) {
    exchange.resetSilence()
    chunks.push(chunk)
  }
  const value = exchange.failure ? undefined : parseJson(decodeUtf8(chunks))
  if (value === undefined) exchange.failAs('provider-protocol')
  else if (isProviderError(value)) {
    exchange.hasAnswerStarted = false
    exchange.fail(toEmbeddedFailure(exchange.context, value))
  }
  if (exchange.failure) throw exchange.failure
  return value
}

export async function readJsonBody(response: ProviderResponse, exchange: Exchange): Promise<unknown> {
  const chunks = readBodyChunks(response.body, exchange)
  const { startChunks } = await readStart(chunks, exchange)
  return readJson(startChunks, chunks, exchange)
}

/** '' for invalid UTF-8; keeps a byte order mark, so that JSON parsing fails. */
function decodeUtf8(chunks: Uint8Array[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
  } catch {
    return ''
  }
}
