import { EventSourceParserStream } from 'eventsource-parser/stream'
import { isObject } from '#server/values/is-object.ts'
import { removeNulls } from '#server/values/remove-nulls.ts'
import { ToolServerFailure } from './tool-server-failure.ts'

const maxAnswerBytes = 2 * 1024 * 1024
/** Limit per session, because each message costs far more than its bytes. */
const maxMessages = 10_000
const maxServerRequests = 100
const minProgressIntervalMs = 100
const minRetryMs = 500
const jsonRpcInternalError = -32603

export type RawResults = Map<number, unknown>

interface JsonRpcRequest {
  id: unknown
  method: string
}

/**
 * The MCP SDK rejects a whole response for one unexpected element, so it gets an empty result. Its `raw` is the key of the
 * real one in `rawResults`. @param isAnsweredInStream whether responses arrive in the GET stream (transport of 2024-11-05)
 */
export function createTolerantFetch(
  baseFetch: typeof fetch,
  rawResults: RawResults,
  { isAnsweredInStream }: { isAnsweredInStream: boolean },
): typeof fetch {
  const requests = new Map<unknown, JsonRpcRequest>()
  const listByteCounter = { count: 0 }
  const messageFilter = new MessageFilter()
  let lastRawId = 0
  const storeRawResult = (result: unknown) => {
    lastRawId += 1
    rawResults.set(lastRawId, result)
    return lastRawId
  }
  return async (input, init) => {
    const request = readRequest(init)
    // The pages of a list share one limit.
    const byteCounter = request?.method === 'tools/list' ? listByteCounter : { count: 0 }
    const response = await limitResponseSize(baseFetch, byteCounter)(input, init)
    if (request) requests.set(request.id, request)
    if (!response.ok || response.status === 202 || !response.body) return response
    if (request)
      return isAnsweredInStream
        ? response
        : normalizeResponse(response, request, messageFilter, (message) =>
            normalizeMessage(message, request, storeRawResult),
          )
    if (init?.method === 'DELETE' || !response.headers.get('content-type')?.includes('text/event-stream'))
      return response
    // A GET stream carries answers of the older transport and of resumed streams.
    const events = normalizeEvents(
      response.body.pipeThrough(new TextDecoderStream()),
      undefined,
      messageFilter,
      (message) => {
        const { id } = (message ?? {}) as { id?: unknown }
        const answeredRequest = requests.get(id)
        return normalizeMessage(message, answeredRequest ?? { id, method: '' }, storeRawResult)
      },
    )
    return replaceBody(response, toStream(events).pipeThrough(new TextEncoderStream()))
  }
}

class MessageFilter {
  #messageCount = 0
  #serverRequestCount = 0

  countMessage(): void {
    this.#messageCount += 1
    if (this.#messageCount > maxMessages) throw createTooManyMessagesFailure()
  }

  isNeeded(message: unknown): boolean {
    if (!isObject(message) || typeof message.method !== 'string') return true
    if (message.id != null) {
      this.#serverRequestCount += 1
      if (this.#serverRequestCount > maxServerRequests) throw createTooManyMessagesFailure()
      return true
    }
    return isProgress(message)
  }
}

const isProgress = (message: unknown) => isObject(message) && message.method === 'notifications/progress'

const createTooManyMessagesFailure = () => new ToolServerFailure('The server sent too many messages.')

/** @param sharedCounter counts the bytes of several responses together */
export function limitResponseSize(baseFetch: typeof fetch, sharedCounter?: { count: number }): typeof fetch {
  return async (input, init) => {
    const response = await baseFetch(input, init)
    if (!response.body) return response
    const byteCounter = sharedCounter ?? { count: 0 }
    const countingStream = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        byteCounter.count += chunk.byteLength
        if (byteCounter.count > maxAnswerBytes)
          controller.error(new ToolServerFailure('The server’s answer is larger than 2 MB.'))
        else controller.enqueue(chunk)
      },
    })
    return replaceBody(response, response.body.pipeThrough(countingStream))
  }
}

function readRequest(init: RequestInit | undefined): JsonRpcRequest | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined
  const message: unknown = JSON.parse(init.body)
  if (!isObject(message) || message.id === undefined || typeof message.method !== 'string') return undefined
  return { id: message.id, method: message.method }
}

async function normalizeResponse(
  response: Response,
  request: JsonRpcRequest,
  messageFilter: MessageFilter,
  normalize: (message: unknown) => unknown,
): Promise<Response> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let prefix = ''
  let isDone = reader === undefined
  while (reader && !isDone && prefix.trimStart() === '') {
    const { done, value = '' } = await reader.read()
    prefix += value
    isDone = done
  }
  const trimmedPrefix = prefix.trimStart()
  if (!reader || trimmedPrefix === '') throw new ToolServerFailure('The server gave an empty answer.')
  const textStream = toStream(readRemaining(reader, prefix))
  if (trimmedPrefix.startsWith('<')) {
    await textStream.cancel()
    throw new ToolServerFailure('The server answered with a web page. Check the address.')
  }
  if (trimmedPrefix.startsWith('{') || trimmedPrefix.startsWith('[')) {
    const parsed = parseJson(await readAll(textStream))
    const neededMessages = (Array.isArray(parsed) ? parsed : [parsed]).filter((message) => {
      messageFilter.countMessage()
      return messageFilter.isNeeded(message)
    })
    const body = JSON.stringify(Array.isArray(parsed) ? neededMessages.map(normalize) : normalize(parsed))
    return replaceBody(response, body, 'application/json')
  }
  const events = toStream(normalizeEvents(textStream, request, messageFilter, normalize)).pipeThrough(
    new TextEncoderStream(),
  )
  return replaceBody(response, events, 'text/event-stream')
}

async function* readRemaining(reader: ReadableStreamDefaultReader<string>, prefix: string): AsyncGenerator<string> {
  try {
    yield prefix
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
  let joined = ''
  for await (const chunk of text) joined += chunk
  return joined
}

/** Ends with an error event if no response arrived, because the SDK would wait for it forever. */
async function* normalizeEvents(
  text: ReadableStream<string>,
  request: JsonRpcRequest | undefined,
  messageFilter: MessageFilter,
  normalize: (message: unknown) => unknown,
): AsyncGenerator<string> {
  let retryMs: number | undefined
  let isResumable = false
  let isAnswered = false
  let lastProgressAt = Number.NEGATIVE_INFINITY
  const isThrottled = (message: unknown) => {
    if (!request || !isProgress(message)) return false
    const isTooSoon = performance.now() - lastProgressAt < minProgressIntervalMs
    if (!isTooSoon) lastProgressAt = performance.now()
    return isTooSoon
  }
  const createErrorEvent = (message: string) =>
    toEvent({
      data: JSON.stringify({ jsonrpc: '2.0', id: request?.id, error: { code: jsonRpcInternalError, message } }),
    })
  const parser = new EventSourceParserStream({
    onRetry: (ms) => {
      retryMs = ms
    },
  })
  try {
    for await (const event of text.pipeThrough(parser)) {
      messageFilter.countMessage()
      if (retryMs !== undefined) yield `retry: ${Math.max(retryMs, minRetryMs)}\n\n`
      retryMs = undefined
      isResumable ||= event.id !== undefined
      const isMessage = event.data !== '' && (!event.event || event.event === 'message')
      if (!isMessage) {
        yield toEvent(event)
        continue
      }
      const parsed = parseJson(event.data)
      if (!messageFilter.isNeeded(parsed) || isThrottled(parsed)) {
        if (event.id !== undefined) yield toEvent({ id: event.id, data: '' })
        continue
      }
      const message = normalize(parsed)
      isAnswered ||= isObject(message) && message.id === request?.id && message.method === undefined
      yield toEvent({ ...event, data: JSON.stringify(message) })
    }
    if (request && !isAnswered && !isResumable)
      yield createErrorEvent('The connection ended before the answer arrived.')
  } catch (error) {
    if (!request) throw error
    yield createErrorEvent(
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

function normalizeMessage(
  message: unknown,
  request: JsonRpcRequest,
  storeRawResult: (result: unknown) => number,
): unknown {
  if (!isObject(message)) throw new ToolServerFailure('The server’s answer isn’t an MCP message.')
  if (message.method === 'notifications/progress') return { ...message, params: readProgress(message.params, request) }
  if (typeof message.method === 'string') return removeNulls(message)
  // Some servers change or lose the id, so the request's own id is used.
  const answer = { jsonrpc: '2.0', id: request.id }
  if (isObject(message.error) || (message.error && message.result === undefined)) {
    const { code, message: text, data } = isObject(message.error) ? message.error : { message: message.error }
    return {
      ...answer,
      error: {
        code: Number.isInteger(code) ? code : jsonRpcInternalError,
        message: String(text ?? ''),
        ...(data != null && { data }),
      },
    }
  }
  if (message.result === undefined) throw new ToolServerFailure('The server’s answer has no result.')
  return { ...answer, result: readResult(message.result, request.method, storeRawResult) }
}

function readProgress(params: unknown, { id }: JsonRpcRequest): object {
  const { progress, progressToken } = isObject(params) ? params : {}
  return { progressToken: id ?? progressToken, progress: typeof progress === 'number' ? progress : 0 }
}

function readResult(result: unknown, method: string, storeRawResult: (result: unknown) => number): unknown {
  if (method === 'tools/list')
    return { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private', raw: storeRawResult(result) }
  if (!isObject(result)) return {}
  if (method === 'initialize')
    return {
      protocolVersion: typeof result.protocolVersion === 'string' ? result.protocolVersion : '2025-03-26',
      capabilities: {},
      serverInfo: { name: 'tool server', version: '0' },
    }
  if (method === 'tools/call' && result.resultType !== 'input_required')
    return { resultType: 'complete', content: [], raw: storeRawResult(result) }
  return removeNulls(result)
}

function replaceBody(response: Response, body: ReadableStream<Uint8Array> | string, type?: string): Response {
  const headers = new Headers(response.headers)
  if (type) headers.set('content-type', type)
  return new Response(body, { status: response.status, statusText: response.statusText, headers })
}
