import { EventSourceParserStream } from 'eventsource-parser/stream'
import { isObject } from '#server/is-object.ts'
import { ToolServerFailure } from './tool-server-failure.ts'

const maxAnswerBytes = 2 * 1024 * 1024
/** Limit per session, because each message costs far more than its bytes. */
const maxMessages = 10_000
const maxServerRequests = 100
const minProgressIntervalMs = 100
const minRetryMs = 500

export type RawResults = Map<number, unknown>

interface JsonRpcRequest {
  id: unknown
  method: string
}

/** The MCP SDK rejects whole answers for one unexpected element, so it sees an empty result whose number leads to `rawResults`.
 * @param isAnsweredInStream whether answers arrive in the stream opened by GET (transport of 2024-11-05) */
export function createTolerantFetch(
  baseFetch: typeof fetch,
  raw: RawResults,
  { isAnsweredInStream }: { isAnsweredInStream: boolean },
): typeof fetch {
  const requests = new Map<unknown, JsonRpcRequest>()
  const listBytes = { count: 0 }
  const messages = new MessageFilter()
  let lastNumber = 0
  const storeRaw = (result: unknown) => {
    lastNumber += 1
    raw.set(lastNumber, result)
    return lastNumber
  }
  return async (input, init) => {
    const request = readRequest(init)
    // A list can span many answers.
    const bytes = request?.method === 'tools/list' ? listBytes : { count: 0 }
    const response = await limitAnswer(baseFetch, bytes)(input, init)
    if (request) requests.set(request.id, request)
    if (!response.ok || response.status === 202 || !response.body) return response
    if (request)
      return isAnsweredInStream
        ? response
        : relabel(response, request, messages, (message) => tolerate(message, request, storeRaw))
    if (init?.method === 'DELETE' || !response.headers.get('content-type')?.includes('text/event-stream'))
      return response
    // A GET stream carries answers of the older transport and of resumed streams.
    const events = changeEvents(response.body.pipeThrough(new TextDecoderStream()), undefined, messages, (message) => {
      const { id } = (message ?? {}) as { id?: unknown }
      const answered = requests.get(id)
      return tolerate(message, answered ?? { id, method: '' }, storeRaw)
    })
    return replaceBody(response, toStream(events).pipeThrough(new TextEncoderStream()))
  }
}

class MessageFilter {
  #messages = 0
  #serverRequests = 0

  count(): void {
    this.#messages += 1
    if (this.#messages > maxMessages) throw createTooManyMessages()
  }

  isNeeded(message: unknown): boolean {
    if (!isObject(message) || typeof message.method !== 'string') return true
    if (message.id != null) {
      this.#serverRequests += 1
      if (this.#serverRequests > maxServerRequests) throw createTooManyMessages()
      return true
    }
    return isProgress(message)
  }
}

const isProgress = (message: unknown) => isObject(message) && message.method === 'notifications/progress'

const createTooManyMessages = () => new ToolServerFailure('The server sent too many messages.')

/** @param bytes shared counter for several answers */
export function limitAnswer(baseFetch: typeof fetch, bytes?: { count: number }): typeof fetch {
  return async (input, init) => {
    const response = await baseFetch(input, init)
    if (!response.body) return response
    const read = bytes ?? { count: 0 }
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        read.count += chunk.byteLength
        if (read.count > maxAnswerBytes)
          controller.error(new ToolServerFailure('The server’s answer is larger than 2 MB.'))
        else controller.enqueue(chunk)
      },
    })
    return replaceBody(response, response.body.pipeThrough(counting))
  }
}

function readRequest(init: RequestInit | undefined): JsonRpcRequest | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined
  const message: unknown = JSON.parse(init.body)
  if (!isObject(message) || message.id === undefined || typeof message.method !== 'string') return undefined
  return { id: message.id, method: message.method }
}

async function relabel(
  response: Response,
  request: JsonRpcRequest,
  messages: MessageFilter,
  change: (message: unknown) => unknown,
): Promise<Response> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let opening = ''
  let isDone = reader === undefined
  while (reader && !isDone && opening.trimStart() === '') {
    const { done, value = '' } = await reader.read()
    opening += value
    isDone = done
  }
  const start = opening.trimStart()
  if (!reader || start === '') throw new ToolServerFailure('The server gave an empty answer.')
  const text = toStream(readRemaining(reader, opening))
  if (start.startsWith('<')) {
    await text.cancel()
    throw new ToolServerFailure('The server answered with a web page. Check the address.')
  }
  if (start.startsWith('{') || start.startsWith('[')) {
    const parsed = parseJson(await readAll(text))
    const needed = (Array.isArray(parsed) ? parsed : [parsed]).filter((message) => {
      messages.count()
      return messages.isNeeded(message)
    })
    const body = JSON.stringify(Array.isArray(parsed) ? needed.map(change) : change(parsed))
    return replaceBody(response, body, 'application/json')
  }
  const events = toStream(changeEvents(text, request, messages, change)).pipeThrough(new TextEncoderStream())
  return replaceBody(response, events, 'text/event-stream')
}

async function* readRemaining(reader: ReadableStreamDefaultReader<string>, opening: string): AsyncGenerator<string> {
  try {
    yield opening
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

function toStream(chunks: AsyncGenerator<string>): ReadableStream<string> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}

async function readAll(text: ReadableStream<string>): Promise<string> {
  let whole = ''
  for await (const chunk of text) whole += chunk
  return whole
}

/** Ends with an error if the answer is missing, because the SDK would wait for it. */
async function* changeEvents(
  text: ReadableStream<string>,
  request: JsonRpcRequest | undefined,
  messages: MessageFilter,
  change: (message: unknown) => unknown,
): AsyncGenerator<string> {
  let retryMs: number | undefined
  let isResumable = false
  let isAnswered = false
  let lastProgressAt = Number.NEGATIVE_INFINITY
  const isTooEarly = (message: unknown) => {
    if (!request || !isProgress(message)) return false
    const isEarly = performance.now() - lastProgressAt < minProgressIntervalMs
    if (!isEarly) lastProgressAt = performance.now()
    return isEarly
  }
  const fail = (message: string) =>
    toEvent({ data: JSON.stringify({ jsonrpc: '2.0', id: request?.id, error: { code: -32603, message } }) })
  const parser = new EventSourceParserStream({
    onRetry: (ms) => {
      retryMs = ms
    },
  })
  try {
    for await (const event of text.pipeThrough(parser)) {
      messages.count()
      if (retryMs !== undefined) yield `retry: ${Math.max(retryMs, minRetryMs)}\n\n`
      retryMs = undefined
      isResumable ||= event.id !== undefined
      const isMessage = event.data !== '' && (!event.event || event.event === 'message')
      if (!isMessage) {
        yield toEvent(event)
        continue
      }
      const parsed = parseJson(event.data)
      if (!messages.isNeeded(parsed) || isTooEarly(parsed)) {
        if (event.id !== undefined) yield toEvent({ id: event.id, data: '' })
        continue
      }
      const message = change(parsed)
      isAnswered ||= isObject(message) && message.id === request?.id && message.method === undefined
      yield toEvent({ ...event, data: JSON.stringify(message) })
    }
    if (request && !isAnswered && !isResumable) yield fail('The connection ended before the answer arrived.')
  } catch (error) {
    if (!request) throw error
    yield fail(
      error instanceof ToolServerFailure ? error.message : 'The connection was lost before the answer arrived.',
    )
  }
}

function toEvent({ id, event, data }: { id?: string | undefined; event?: string | undefined; data: string }): string {
  const lines = data.split('\n').map((line) => `data: ${line}`)
  return `${[...(id === undefined ? [] : [`id: ${id}`]), ...(event ? [`event: ${event}`] : []), ...lines].join('\n')}\n\n`
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new ToolServerFailure('The server’s answer isn’t valid JSON.')
  }
}

function tolerate(message: unknown, request: JsonRpcRequest, storeRaw: (result: unknown) => number): unknown {
  if (!isObject(message)) throw new ToolServerFailure('The server’s answer isn’t an MCP message.')
  if (message.method === 'notifications/progress') return { ...message, params: readProgress(message.params, request) }
  if (typeof message.method === 'string') return withoutNulls(message)
  // Some servers change or lose the id, so the request's own id is used.
  const answer = { jsonrpc: '2.0', id: request.id }
  if (isObject(message.error)) {
    const { code, message: text, data } = message.error
    return {
      ...answer,
      error: {
        code: Number.isInteger(code) ? code : -32603,
        message: String(text ?? ''),
        ...(data != null && { data }),
      },
    }
  }
  if (message.result === undefined) throw new ToolServerFailure('The server’s answer has no result.')
  return { ...answer, result: readResult(message.result, request.method, storeRaw) }
}

function readProgress(params: unknown, { id }: JsonRpcRequest): object {
  const { progress, progressToken } = isObject(params) ? params : {}
  return { progressToken: id ?? progressToken, progress: typeof progress === 'number' ? progress : 0 }
}

function readResult(result: unknown, method: string, storeRaw: (result: unknown) => number): unknown {
  if (method === 'tools/list')
    return { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private', raw: storeRaw(result) }
  if (!isObject(result)) return {}
  if (method === 'initialize')
    return {
      protocolVersion: typeof result.protocolVersion === 'string' ? result.protocolVersion : '2025-03-26',
      capabilities: {},
      serverInfo: { name: 'tool server', version: '0' },
    }
  if (method === 'tools/call' && result.resultType !== 'input_required')
    return { resultType: 'complete', content: [], raw: storeRaw(result) }
  return withoutNulls(result)
}

function withoutNulls(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
}

function replaceBody(response: Response, body: ReadableStream<Uint8Array> | string, type?: string): Response {
  const headers = new Headers(response.headers)
  if (type) headers.set('content-type', type)
  return new Response(body, { status: response.status, statusText: response.statusText, headers })
}
