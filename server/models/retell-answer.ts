import { bodyChunks } from './body-chunks.ts'
import { callProvider, readJson } from './call-provider.ts'
import { EventStreamParser, type ServerSentEvent } from './event-stream-parser.ts'
import type { Exchange } from './exchange.ts'
import type { Credential, ModelRuntime } from './model-request.ts'
import { parseJson } from './parse-json.ts'
import { innerFailure, ownFailure } from './translate-failure.ts'
import type { Wire, WirePiece } from './wires/wire.ts'

export interface Retelling {
  wire: Wire
  credential: Credential
  stream: boolean
}

/**
 * The `fetch` an SDK is given. It reads the provider's answer itself and notes on the exchange how it ended, so that a
 * cut or broken answer can never pass for a short one. Of a streamed answer the SDK is shown an empty one: the words
 * wait in `exchange.words`, because passing each through the SDK's streams costs more than everything else on its way.
 * Tool calls gather in `exchange.toolCalls`, of plain answers too.
 */
export function retellingFetch(
  runtime: ModelRuntime,
  exchange: Exchange,
  { wire, credential, stream }: Retelling,
): typeof fetch {
  return async (input, init = {}) => {
    const type = stream ? 'stream' : 'json'
    const response = await callProvider(runtime, exchange, { url: String(input), init, credential, type })
    if (!stream) return retold(retellWhole(await readJson(response, exchange), exchange, wire), 'application/json')
    exchange.beginAnswer(wordsOf(response.body, exchange, wire))
    // What the SDK makes of its empty stream would stand before the first word.
    await exchange.wordsOver
    return retold(wire.emptyStream, 'text/event-stream')
  }
}

function retold(body: string, contentType: string): Response {
  return new Response(body, { headers: { 'content-type': contentType } })
}

function retellWhole(value: unknown, exchange: Exchange, wire: Wire): string {
  const piece = wire.readWhole(value)
  if (piece === undefined) throw broken(exchange)
  note(piece, exchange)
  return wire.retellWhole(piece.text ?? '')
}

/**
 * The words of a streamed answer as they come, without empty ones. What arrived at once is given at once: who falls
 * behind catches up with fewer, longer pieces.
 */
async function* wordsOf(body: ReadableStream<Uint8Array>, exchange: Exchange, wire: Wire): AsyncGenerator<string> {
  const parser = new EventStreamParser(exchange.limits.maxEventBytes)
  const heard = { anything: false, meaning: false }
  try {
    for await (const chunk of bodyChunks(body, exchange)) {
      const words = wordsIn(parser.push(chunk), { exchange, wire, heard })
      if (words) yield words
      if (exchange.failure || exchange.complete) return
    }
    if (exchange.failure) return
    const words = wordsIn(parser.end(), { exchange, wire, heard })
    if (words) yield words
    // The connection was closed in good order, but the provider had not said that it was done.
    if (!exchange.complete) exchange.failAs('provider-protocol', { retryable: heard.anything })
  } catch {
    broken(exchange)
  } finally {
    exchange.endWords()
  }
}

interface Hearing {
  exchange: Exchange
  wire: Wire
  heard: { anything: boolean; meaning: boolean }
}

/** Notes what events say, up to the end of the answer or its failure, which stand on the exchange then. Returns their words. */
function wordsIn(events: ServerSentEvent[], { exchange, wire, heard }: Hearing): string {
  let words = ''
  try {
    for (const event of events) {
      for (const piece of piecesOf(event, wire)) {
        heard.anything = true
        if (piece.error !== undefined) {
          if (!heard.meaning) exchange.answerBegan = false
          exchange.fail(innerFailure(exchange.context, piece.error))
        }
        if (exchange.failure) return words
        if (piece.meaningful) exchange.heard()
        heard.meaning ||= piece.meaningful
        note(piece, exchange)
        if (piece.text) words += piece.text
        if (exchange.complete) return words
      }
    }
  } catch {
    broken(exchange)
  }
  return words
}

/** Some servers leave out the blank line between two events; their data then arrives as several lines of one. */
function* piecesOf({ name, data }: ServerSentEvent, wire: Wire): Generator<WirePiece> {
  const whole = parseJson(data)
  const documents = whole === undefined && data.includes('\n') ? data.split('\n') : [data]
  for (const document of documents) {
    if (wire.isEndMark(document)) yield { end: true, meaningful: true }
    else if (document.trim() !== '') yield wire.readEvent(name, whole ?? JSON.parse(document))
  }
}

function note(piece: WirePiece, exchange: Exchange): void {
  exchange.finish =
    piece.finish === 'stop' && exchange.finish === 'refusal' ? 'refusal' : (piece.finish ?? exchange.finish)
  exchange.inputTokens = piece.inputTokens ?? exchange.inputTokens
  exchange.outputTokens = piece.outputTokens ?? exchange.outputTokens
  if (piece.toolCalls) for (const call of piece.toolCalls) exchange.toolCalls.add(call)
  if (piece.end) exchange.complete = true
}

function broken(exchange: Exchange): Error {
  exchange.fail(ownFailure(exchange.context, 'provider-protocol'))
  return exchange.failure as Error
}
