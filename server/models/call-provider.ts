import { watchConnection } from './connection-watch.ts'
import type { Exchange } from './exchange.ts'
import type { ModelRuntime } from './model-request.ts'
import { createFailure, toNetworkFailure, toResponseFailure } from './translate-failure.ts'

const maxErrorBytes = 64 * 1024

export interface ProviderCall {
  url: string
  headers: Record<string, string>
  method?: 'GET' | 'POST'
  /** JSON when it is an object. */
  body?: object | FormData
}

export type ProviderResponse = Response & { body: ReadableStream<Uint8Array> }

/**
 * Sends one request and returns the answer if its status is a good one.
 *
 * @throws ModelFailure, which is then also the exchange's failure
 */
export async function callProvider(
  runtime: ModelRuntime,
  exchange: Exchange,
  { url, headers, body, method = body ? 'POST' : 'GET' }: ProviderCall,
): Promise<ProviderResponse> {
  const isJson = body !== undefined && !(body instanceof FormData)
  const response = await send(runtime, exchange, url, {
    method,
    headers: { ...headers, ...(isJson && { 'content-type': 'application/json' }), 'user-agent': 'keeper' },
    ...(body && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
  })
  if (!response.ok) {
    const text = await readStart(response, exchange)
    const answer = { status: response.status, headers: response.headers, body: text, now: runtime.now() }
    const { failure, status, error } = toResponseFailure(exchange.context, answer)
    exchange.refused = { status, error }
    exchange.fail(failure)
  } else if (response.body === null) exchange.fail(createFailure(exchange.context, 'provider-protocol'))
  if (exchange.failure) throw exchange.failure
  exchange.answerBegan = true
  return response as ProviderResponse
}

async function send(runtime: ModelRuntime, exchange: Exchange, url: string, init: RequestInit): Promise<Response> {
  try {
    return await watchConnection(exchange, () =>
      exchange.waitFor(runtime.fetch(url, { ...init, redirect: 'error', signal: exchange.signal })),
    )
  } catch (error) {
    exchange.fail(toNetworkFailure(exchange.context, error))
    throw exchange.failure
  } finally {
    exchange.connected()
  }
}

/** The start of an error body. A failed read is ignored because the status is known already. */
async function readStart(response: Response, exchange: Exchange): Promise<string> {
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    while (reader && text.length < maxErrorBytes) {
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
