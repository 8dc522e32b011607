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

/** The words of a streamed answer as they come, without empty ones. */
async function* wordsOf(body: ReadableStream<Uint8Array>, exchange: Exchange, wire: Wire): AsyncGenerator<string> {
  let began = false
  let heard = false
  try {
    for await (const event of eventsOf(body, exchange)) {
      for (const piece of piecesOf(event, wire)) {
        began = true
        if (piece.error !== undefined) {
          if (!heard) exchange.answerBegan = false
          exchange.fail(innerFailure(exchange.context, piece.error))
        }
        if (exchange.failure) return
        if (piece.meaningful) exchange.heard()
        heard ||= piece.meaningful
        note(piece, exchange)
        if (piece.text) yield piece.text
        if (exchange.complete) return
      }
    }
    // The connection was closed in good order, but the provider had not said that it was done.
    exchange.failAs('provider-protocol', { retryable: began })
  } catch {
    broken(exchange)
  } finally {
    exchange.endWords()
  }
}

async function* eventsOf(body: ReadableStream<Uint8Array>, exchange: Exchange): AsyncGenerator<ServerSentEvent> {
  const parser = new EventStreamParser(exchange.limits.maxEventBytes)
  for await (const chunk of bodyChunks(body, exchange)) yield* parser.push(chunk)
  if (!exchange.failure) yield* parser.end()
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
