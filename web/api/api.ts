import { streamHeartbeatMs } from '#contract/endpoint.ts'
import { Listeners } from '#contract/listeners.ts'
import { isDemoId } from '#contract/samples/demo-ids.ts'
import { isGatewayFailure, recordCall } from './api-journal.ts'
import { buildAddress, buildRequest } from './api-request.ts'
import { tokenKey } from './api-token.ts'
import type {
  AnyEndpoint,
  CallInput,
  CallResult,
  InputArguments,
  ResponseEnvelope,
  UntypedCallInput,
} from './api-types.ts'
import { lockedEvent, notifyMissingToken, pauseCalls, waitForSession } from './session-gate.ts'

/** The entries of all lists in the data. */
const collectRows = (data: unknown): unknown[] =>
  [data, ...(isRecord(data) ? Object.values(data) : [])].filter(Array.isArray).flat()

const isUsableRow = (row: unknown): boolean => row !== null && (!isRecord(row) || Object.keys(row).length > 0)

/** Agents without `may` get an empty one, so that pages can show the rest of them. */
function fillMissingRights(rows: readonly unknown[]): void {
  for (const row of rows) if (isRecord(row) && 'agent_class' in row) row.may ??= {}
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export { tokenKey } from './api-token.ts'
export type { CallInput, CallResult } from './api-types.ts'

/** Only Keeper's answers have a request ID, not those of a proxy, firewall or sign-on in front of it. */
export const isFromKeeper = ({ headers }: { headers?: Pick<Headers, 'has'> }): boolean =>
  headers?.has('X-Request-Id') === true

/** The server answered with a refusal or a failure. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** 502 for an answer from a proxy, whose own status says nothing about the data here. */
  readonly status: number
  readonly receivedStatus: number
  readonly isForeign: boolean
  readonly statusText: string
  readonly body: string
  readonly code: string | undefined
  readonly fields: Record<string, string> | undefined
  readonly requestId: string | undefined
  /** The message of the server, if any; for a failure with the request id. For a proxy's answer, what it means. */
  readonly serverMessage: string | undefined
  /** E.g. `{yours, current}` of a stale change, `run_id` of a failed run. */
  readonly data: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(
    response: Pick<Response, 'status' | 'statusText'> & { headers?: Headers },
    body: string,
    sentBytes?: number,
  ) {
    const isForeign = response.headers !== undefined && !isFromKeeper(response)
    const isTooLarge = isForeign && response.status === 413
    const envelope = isForeign ? undefined : toRecord(body)
    const foreignText = isForeign ? describeForeignRefusal(response.status, sentBytes) : undefined
    const error = envelope?.error as string | { message?: string; code?: string } | undefined
    const errorText = typeof error === 'string' ? error : error?.message
    const requestId = envelope?.requestId as string | undefined
    const text = requestId && response.status >= 500 ? appendRequestId(errorText, requestId) : errorText
    super(text || foreignText || `HTTP error! status: ${response.status}`)
    this.serverMessage = text || foreignText
    this.isForeign = isForeign
    this.receivedStatus = response.status
    this.status = isForeign && response.status < 500 && !isTooLarge ? 502 : response.status
    this.statusText = response.statusText
    this.body = isForeign ? '' : body
    this.code = (envelope?.code as string | undefined) ?? (typeof error === 'object' ? error.code : undefined)
    this.fields = envelope?.fields as Record<string, string> | undefined
    this.requestId = requestId
    this.data = envelope?.data
    const retryAfter = Number.parseInt(response.headers?.get('Retry-After') ?? '', 10)
    this.retryAfterSeconds = retryAfter >= 0 ? retryAfter : undefined
  }
}

/** The request ID leads to the failure in the server's log, so every place that shows the message shows it. */
function appendRequestId(errorText: string | undefined, requestId: string): string | undefined {
  return errorText && `${errorText.replace(/[^.!?]$/, '$&.')} Request ${requestId}.`
}

/** Replaces the proxy's text, which may be an HTML page or about another program. */
function describeForeignRefusal(status: number, sentBytes = 0): string | undefined {
  const proxy = 'The proxy in front of this server'
  if (status === 413)
    return `${proxy} doesn’t accept ${sentBytes ? `${Math.ceil(sentBytes / 1e6)} MB` : 'this much'} at once. Send less, or ask the person who runs the server to raise its limit.`
  if (status === 429) return `${proxy} takes no more requests right now. Wait a minute, then try again.`
  if ([401, 407, 511].includes(status)) return `${proxy} wants you to sign in (${status}). Reload this page.`
  if (status < 300) return `${proxy} answered in its place. Reload this page.`
  return status < 500
    ? `${proxy} refused this (${status}). Try again, or ask the person who runs the server.`
    : undefined
}

export const getServerMessage = (reason: unknown): string | undefined =>
  reason instanceof ApiError ? reason.serverMessage : undefined

/** The answer is unreadable: truncated JSON or a proxy's HTML page. */
export class UnreadableResponse extends ApiError {
  override name = 'Unreadable'
  override message = this.serverMessage ?? 'The server’s answer couldn’t be read.'
}

/** No answer: the network or the server is down, also if a proxy in front of it says so. */
export class NetworkError extends Error {
  override name = 'Unreachable'
}

export function toRefusal(
  response: ConstructorParameters<typeof ApiError>[0],
  body: string,
  sentBytes?: number,
): ApiError | NetworkError {
  const error = new ApiError(response, body, sentBytes)
  if (!error.isForeign || !isGatewayFailure(response.status)) return error
  return new NetworkError(`The server couldn’t be reached: the proxy in front of it answered ${response.status}.`, {
    cause: error,
  })
}

export async function call<E extends AnyEndpoint>(endpoint: E, ...[input]: InputArguments<E>): Promise<CallResult<E>> {
  const { answer, response, body } = await fetchAnswer(endpoint, (input ?? {}) as UntypedCallInput)
  if (endpoint.responseFormat === 'bare') return answer as CallResult<E>
  const envelope = answer as ResponseEnvelope<E> | null
  if (typeof envelope !== 'object' || envelope === null || !('success' in envelope))
    throw new UnreadableResponse(response, body)
  if (!envelope.success && (envelope.data === undefined || envelope.data === null)) throw new ApiError(response, body)
  return envelope.data as CallResult<E>
}

/** Like `call`, but returns the envelope, even with `success: false` and status 200. */
export async function callEnvelope<E extends AnyEndpoint>(
  endpoint: E,
  ...[input]: InputArguments<E>
): Promise<ResponseEnvelope<E>> {
  const { answer } = await fetchAnswer(endpoint, (input ?? {}) as UntypedCallInput)
  return answer as ResponseEnvelope<E>
}

export interface FetchedFile {
  blob: Blob
  name: string | undefined
  headers: Headers
}

/** Fetches a file: a link could not send the token. */
export async function fetchFile<E extends AnyEndpoint>(
  endpoint: E,
  ...[input]: InputArguments<E>
): Promise<FetchedFile> {
  return toFetchedFile(await sendRequest(endpoint, (input ?? {}) as UntypedCallInput, '*/*'))
}

const fileNamePattern = /filename="([^"]+)"/

export async function toFetchedFile(response: Response, body = response): Promise<FetchedFile> {
  const blob = await body.blob().catch((reason) => {
    throw toNetworkError(reason)
  })
  const name = fileNamePattern.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
  return { blob, name, headers: response.headers }
}

/** A sleeping computer or another network can end a connection without a notice, so several missing heartbeats end the stream. */
const maxSilenceMs = 3 * streamHeartbeatMs

/** Resolves when the stream is over. Aborting rejects with the AbortError of the signal. */
export async function stream<E extends AnyEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  onEvent: (event: string, data: unknown) => void,
): Promise<void> {
  const response = await sendRequest(endpoint, input as UntypedCallInput, 'text/event-stream')
  if (!response.body || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
    throw new UnreadableResponse(response, await response.text())
  }
  const readChunk = createEventStreamReader((event, data) => onEvent(event, parseJson(data)))
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const cancel = () => reader.cancel().catch(() => undefined)
  let silenceTimer: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      silenceTimer = setTimeout(cancel, maxSilenceMs)
      const { done, value } = await reader.read()
      clearTimeout(silenceTimer)
      if (done) return
      readChunk(value)
    }
  } catch (reason) {
    throw toNetworkError(reason)
  } finally {
    clearTimeout(silenceTimer)
    cancel()
  }
}

type ProofCode = 'proof-needed' | 'second-factor-required'
let requestProof: ((code: ProofCode) => Promise<boolean>) | undefined

/** The app asks the person to confirm who they are; resolves to true if the refused call can be sent again. */
export function setProofRequest(request: (code: ProofCode) => Promise<boolean>): void {
  requestProof = request
}

const invalidTokenListeners = new Listeners()

/** Called when the server refuses the token that was sent. */
export const onInvalidToken = invalidTokenListeners.add

interface ReadCache {
  store(url: string, answer: unknown): void
  find(url: string): Promise<{ answer: unknown } | undefined>
}
let readCache: ReadCache | undefined

/** The app caches reads for offline use; the pages before sign-in do not. */
export function setReadCache(cache: ReadCache): void {
  readCache = cache
}

type DemoServer = (endpoint: AnyEndpoint, input: UntypedCallInput) => Response | Promise<Response>
let loadDemoServer: (() => Promise<DemoServer>) | undefined

/** The app answers calls about demo keepers itself; the pages before sign-in have none. */
export function setDemoServer(load: () => Promise<DemoServer>): void {
  loadDemoServer = load
}

async function fetchAnswer(endpoint: AnyEndpoint, input: UntypedCallInput) {
  if (endpoint.method !== 'GET' || isDemoCall(input)) return fetchJson(endpoint, input)
  // A page starts many reads together; each gets its own task where the browser can, so that the page paints in between.
  await globalThis.scheduler?.yield?.()
  try {
    const result = await fetchJson(endpoint, input)
    const data = isRecord(result.answer) && 'data' in result.answer ? result.answer.data : result.answer
    const rows = collectRows(data)
    if (!rows.every(isUsableRow)) throw new UnreadableResponse(result.response, result.body)
    fillMissingRights([data, ...rows])
    if (isFromKeeper(result.response)) readCache?.store(buildAddress(endpoint, input), result.answer)
    return result
  } catch (reason) {
    const cached = reason instanceof NetworkError && (await readCache?.find(buildAddress(endpoint, input)))
    if (!cached) throw reason
    return { answer: cached.answer, response: new Response(), body: '' }
  }
}

async function fetchJson(endpoint: AnyEndpoint, input: UntypedCallInput) {
  const response = await sendRequest(endpoint, input, 'application/json')
  const body = await response.text().catch((reason) => {
    throw toNetworkError(reason)
  })
  if (body === '' && isFromKeeper(response)) return { answer: { success: true, data: null }, response, body }
  try {
    return { answer: JSON.parse(body) as unknown, response, body }
  } catch {
    throw new UnreadableResponse(response, body)
  }
}

/** Demo keepers are answered by the page itself. */
const isDemoCall = ({ params }: UntypedCallInput) => Object.values(params ?? {}).some(isDemoId)

export async function sendRequest(
  endpoint: AnyEndpoint,
  input: UntypedCallInput,
  accept: string,
  { canRequestProof = true } = {},
): Promise<Response> {
  if (loadDemoServer && isDemoCall(input)) return (await loadDemoServer())(endpoint, input)
  if (!input.opensSession) {
    if (getStoredToken() === null) notifyMissingToken()
    const signedIn = waitForSession(input.signal)
    if (signedIn) await signedIn
  }
  const token = getStoredToken()
  const { url, init } = buildRequest(endpoint, input, token, accept)
  const startedAt = Date.now()
  const startMs = performance.now()
  const logCall = (response?: Response) =>
    recordCall({
      at: startedAt,
      method: endpoint.method,
      path: url.split('?')[0] ?? url,
      status: response?.status,
      durationMs: Math.round(performance.now() - startMs),
      requestId: response?.headers.get('X-Request-Id') ?? undefined,
    })

  let response: Response
  try {
    response = await fetch(url, init)
  } catch (reason) {
    const error = toNetworkError(reason)
    if (error instanceof NetworkError) logCall()
    throw error
  }
  logCall(response)
  // Any bytes would pass for a file, even the page of a sign-on.
  if (response.ok && accept === '*/*' && !isFromKeeper(response))
    throw new UnreadableResponse(response, await response.text().catch(() => ''))
  if (response.ok) return response

  const sentBytes = input.bytes?.size ?? init.body?.toString().length
  const problem = toRefusal(response, await response.text().catch(() => ''), sentBytes)
  if (problem instanceof NetworkError) throw problem
  if (response.status === 423) {
    pauseCalls()
    dispatchEvent(new Event(lockedEvent))
    // The call is sent once more after unlocking.
    if (await waitForSession(input.signal)) return sendRequest(endpoint, input, accept)
  }
  // Another tab can have signed in since; only the refused token is invalid.
  const isRefused =
    problem.status === 401 && problem.serverMessage !== undefined && problem.code !== 'wrong-credentials'
  if (isRefused && token && token === getStoredToken()) {
    invalidTokenListeners.notify()
    // A refused call changed nothing: after signing in again on this page, it is sent once more.
    if (await waitForSession(input.signal)) return sendRequest(endpoint, input, accept)
  }
  if (canRequestProof && (problem.code === 'proof-needed' || problem.code === 'second-factor-required'))
    if (await requestProof?.(problem.code)) return sendRequest(endpoint, input, accept, { canRequestProof: false })
  throw problem
}

/** `fetch` reports a lost connection as TypeError and a timeout as TimeoutError; an abort stays an abort. */
function toNetworkError(reason: unknown): unknown {
  return reason instanceof TypeError || (reason as Error).name === 'TimeoutError'
    ? new NetworkError('The server couldn’t be reached.', { cause: reason })
    : reason
}

export function getStoredToken(): string | null {
  try {
    return localStorage.getItem(tokenKey)
  } catch {
    return null
  }
}

function toRecord(body: string): Record<string, unknown> | undefined {
  const value = parseJson(body)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Reads `text/event-stream` chunk by chunk: chunks end anywhere, events end at an empty line. */
export function createEventStreamReader(onEvent: (event: string, data: string) => void): (chunk: string) => void {
  let pendingLine = ''
  let trailingReturn = ''
  let eventName = ''
  let dataLines: string[] = []

  function handleLine(text: string) {
    if (text === '') {
      if (dataLines.length > 0) onEvent(eventName || 'message', dataLines.join('\n'))
      eventName = ''
      dataLines = []
      return
    }
    const colon = text.indexOf(':')
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') eventName = value
    if (field === 'data') dataLines.push(value)
  }

  return (chunk) => {
    // A lone CR at the end may be the first half of CRLF: it waits for the next chunk.
    const buffered = trailingReturn + chunk
    const completeText = buffered.endsWith('\r') ? buffered.slice(0, -1) : buffered
    trailingReturn = buffered.slice(completeText.length)
    const completeLines = completeText.split(/\r\n|\n|\r/)
    const partialLine = completeLines.pop() ?? ''
    for (const text of completeLines) {
      handleLine(pendingLine + text)
      pendingLine = ''
    }
    // A long line is not scanned again with every chunk.
    pendingLine += partialLine
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404
