import { bodyChunks } from './body-chunks.ts'
import { watchConnection } from './connection-watch.ts'
import type { Exchange } from './exchange.ts'
import type { ModelFailure } from './model-failure.ts'
import type { Credential, ModelRuntime } from './model-request.ts'
import { parseJson } from './parse-json.ts'
import { isProviderError } from './provider-error.ts'
import { answeredFailure, innerFailure, networkFailure, ownFailure } from './translate-failure.ts'

const keyHeaders = ['authorization', 'x-api-key', 'xi-api-key']
const longestErrorBytes = 64 * 1024

/** What a good answer must look like: its content type as a pattern. */
export const answerTypes = {
  stream: /^text\/event-stream\b/i,
  json: /^application\/(?:[\w.-]+\+)?json\b/i,
  audio: /^(?:audio\/|application\/octet-stream\b)/i,
}

/**
 * Sends one request and gives back the answer only if its status and type are those of a good one.
 *
 * @throws ModelFailure, which is then also the exchange's failure.
 */
export async function callProvider(
  runtime: ModelRuntime,
  exchange: Exchange,
  {
    url,
    init,
    credential,
    type,
  }: { url: string; init: RequestInit; credential: Credential; type: keyof typeof answerTypes },
): Promise<Response & { body: ReadableStream<Uint8Array> }> {
  const response = await send(runtime, exchange, url, { ...init, headers: headersFor(init.headers, credential) })
  if (!response.ok) {
    const body = await readStart(response, exchange)
    exchange.fail(
      answeredFailure(exchange.context, {
        status: response.status,
        headers: response.headers,
        body,
        now: runtime.now(),
      }),
    )
  } else if (!isGoodType(response, answerTypes[type]) || response.body === null) {
    const value = parseJson(await readStart(response, exchange))
    exchange.fail(isProviderError(value) ? innerFailure(exchange.context, value) : protocolFailure(exchange))
  }
  if (exchange.failure) throw exchange.failure
  exchange.answerBegan = true
  return response as Response & { body: ReadableStream<Uint8Array> }
}

async function send(runtime: ModelRuntime, exchange: Exchange, url: string, init: RequestInit): Promise<Response> {
  try {
    return await watchConnection(exchange, () =>
      exchange.waitFor(runtime.fetch(url, { ...init, redirect: 'error', signal: exchange.signal })),
    )
  } catch (error) {
    exchange.fail(networkFailure(exchange.context, error))
    throw exchange.failure
  } finally {
    exchange.connected()
  }
}

/** The SDKs always send a key header, an empty one when there is no key, which some local servers refuse. */
function headersFor(given: RequestInit['headers'], { key }: Credential): Headers {
  const headers = new Headers(given)
  if (key === null) for (const name of keyHeaders) headers.delete(name)
  headers.set('user-agent', 'keeper')
  return headers
}

function isGoodType(response: Response, pattern: RegExp): boolean {
  const type = response.headers.get('content-type') ?? ''
  const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8'
  return pattern.test(type) && /^(?:utf-?8|us-ascii)$/i.test(charset)
}

/** The beginning of a body that is no answer. However the reading ends, the status says more than it. */
async function readStart(response: Response, exchange: Exchange): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (reader && text.length < longestErrorBytes) {
      const { done, value } = await exchange.waitFor(reader.read())
      if (done) return text
      text += decoder.decode(value, { stream: true })
    }
  } catch {
    return text
  }
  void reader?.cancel().catch(() => undefined)
  return text
}

/**
 * The JSON of a plain answer.
 *
 * @throws ModelFailure when it is cut, not UTF-8, no JSON, too large, or an error in disguise.
 */
export async function readJson(response: { body: ReadableStream<Uint8Array> }, exchange: Exchange): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bodyChunks(response.body, exchange)) {
    exchange.heard()
    chunks.push(chunk)
  }
  const value = exchange.failure ? undefined : parseJson(decoded(chunks))
  if (value === undefined) exchange.fail(protocolFailure(exchange))
  else if (isProviderError(value)) {
    exchange.answerBegan = false
    exchange.fail(innerFailure(exchange.context, value))
  }
  if (exchange.failure) throw exchange.failure
  return value
}

/** '' for bytes that are not plain UTF-8; a byte order mark is kept, so that JSON refuses it. */
function decoded(chunks: Uint8Array[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
  } catch {
    return ''
  }
}

function protocolFailure({ context }: Exchange): ModelFailure {
  return ownFailure(context, 'provider-protocol')
}
