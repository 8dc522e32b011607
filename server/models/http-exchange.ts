import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { type ModelLimits, timeoutNames, timeoutSettings } from '../settings/model-limits.ts'
import type { TokenCounts } from './chat-api.ts'
import type { ModelFailure, ModelFailureCode } from './model-failure.ts'
import type { FinishReason, ModelRuntime } from './model-request.ts'
import type { ProviderError } from './provider-error.ts'
import { ToolCallAssembler } from './tool-call-chunks.ts'
import { createFailure, type FailureContext, toNetworkFailure, toResponseFailure } from './translate-failure.ts'

/** One request to a provider, with its timeouts and outcome. */
export class Exchange {
  readonly context: FailureContext
  readonly limits: ModelLimits
  readonly signal: AbortSignal
  failure: ModelFailure | undefined
  /** The provider's refusal; never shown, because it can quote the prompt. */
  refusal: { status: number; error: ProviderError } | undefined
  hasAnswerStarted = false
  isComplete = false
  finishReason: FinishReason | undefined
  unknownFinishReason: string | undefined
  tokens: TokenCounts = {}
  #earlierTokens: TokenCounts[] = []
  readonly toolCalls = new ToolCallAssembler()

  readonly #abortController = new AbortController()
  readonly #callerSignal: AbortSignal
  readonly #startedAt = performance.now()
  #progressAt = this.#startedAt
  #noProgressMs: number
  #progressTimer: NodeJS.Timeout
  #silenceTimer: NodeJS.Timeout | undefined
  #connectTimer: NodeJS.Timeout | undefined
  #silentMs = 0
  #waitingSince: number | undefined
  #isAnswering = false
  #isClosed = false

  constructor(
    context: FailureContext,
    limits: ModelLimits,
    { noProgressMs, signal }: { noProgressMs: number; signal: AbortSignal },
  ) {
    this.context = context
    this.limits = limits
    this.signal = this.#abortController.signal
    this.#callerSignal = signal
    this.#noProgressMs = noProgressMs
    this.#progressTimer = setTimeout(this.#checkProgress, noProgressMs)
    signal.addEventListener('abort', this.#stop)
    if (signal.aborted) this.#stop()
  }

  startNextPart(): void {
    this.#earlierTokens.push(this.tokens)
    this.tokens = {}
  }

  get totalTokens(): TokenCounts {
    if (this.#earlierTokens.length === 0) return this.tokens
    const allTokens = [...this.#earlierTokens, this.tokens]
    const sumTokens = (name: keyof TokenCounts) => allTokens.reduce((sum, tokens) => sum + (tokens[name] ?? 0), 0)
    return {
      input: sumTokens('input'),
      output: sumTokens('output'),
      cachedInput: sumTokens('cachedInput'),
      cacheWrites: sumTokens('cacheWrites'),
    }
  }

  fail(failure: ModelFailure): void {
    if (this.isComplete || this.failure) return
    this.failure = failure
    this.#abortController.abort(failure)
  }

  failAs(code: ModelFailureCode, options?: Parameters<typeof createFailure>[2]): void {
    this.fail(createFailure(this.context, code, options))
  }

  startConnectTimer(): void {
    this.#connectTimer ??= setTimeout(
      () => this.failAs('provider-unreachable', { retryable: true }),
      this.limits.connectMs,
    )
  }

  stopConnectTimer(): void {
    clearTimeout(this.#connectTimer)
  }

  /** Counts only waiting time, so that a slow consumer on our side doesn't count as the provider's silence. */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    const startedAt = performance.now()
    this.#waitingSince = startedAt
    if (!this.#isClosed) this.#silenceTimer ??= setTimeout(this.#checkSilence, this.#getRemainingSilenceMs())
    try {
      return await work
    } finally {
      this.#waitingSince = undefined
      this.#silentMs += performance.now() - startedAt
    }
  }

  resetSilence(): void {
    this.#silentMs = 0
  }

  recordProgress(): void {
    this.#progressAt = performance.now()
    this.#noProgressMs = this.limits.noProgressMs
    if (this.#progressAt - this.#startedAt > this.limits.maxMs) this.#failAsTimeout('maxMs')
    if (this.#isAnswering) return
    this.#isAnswering = true
    clearTimeout(this.#silenceTimer)
    this.#silenceTimer = undefined
  }

  #getRemainingSilenceMs(): number {
    return Math.max(0, (this.#isAnswering ? this.limits.idleMs : this.limits.firstByteMs) - this.#silentMs)
  }

  /** A single rechecking timer is cheaper than one per chunk. */
  readonly #checkSilence = (): void => {
    this.#silenceTimer = undefined
    if (this.#waitingSince === undefined) return
    const remainingMs = this.#getRemainingSilenceMs() - (performance.now() - this.#waitingSince)
    // Timers can fire slightly early.
    if (remainingMs < 1) this.#failAsTimeout(this.#isAnswering ? 'idleMs' : 'firstByteMs')
    else this.#silenceTimer = setTimeout(this.#checkSilence, remainingMs)
  }

  readonly #checkProgress = (): void => {
    const remainingMs = this.#noProgressMs - (performance.now() - this.#progressAt)
    if (remainingMs < 1) this.#failAsTimeout('noProgressMs')
    else this.#progressTimer = setTimeout(this.#checkProgress, remainingMs)
  }

  #failAsTimeout(limit: keyof typeof timeoutNames): void {
    const timeout = { name: timeoutNames[limit], setting: timeoutSettings[limit], ms: this.limits[limit] }
    this.failAs('provider-timeout', { timeout })
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#progressTimer)
    clearTimeout(this.#connectTimer)
    clearTimeout(this.#silenceTimer)
    this.#callerSignal.removeEventListener('abort', this.#stop)
    if (!this.isComplete) this.#abortController.abort()
  }

  readonly #stop = (): void => this.failAs('stopped')
}

const currentExchange = new AsyncLocalStorage<Exchange>()
const exchangesByRequest = new WeakMap<object, Exchange>()

// `fetch` hides when it connects; Node's client opens the socket after a request is created, and sends headers once it is ready.
subscribe('undici:request:create', (message) => {
  const exchange = currentExchange.getStore()
  if (!exchange) return
  exchangesByRequest.set((message as { request: object }).request, exchange)
  exchange.startConnectTimer()
})
subscribe('undici:client:sendHeaders', (message) => {
  exchangesByRequest.get((message as { request: object }).request)?.stopConnectTimer()
})

function watchConnection<T>(exchange: Exchange, send: () => Promise<T>): Promise<T> {
  return currentExchange.run(exchange, send)
}

const maxErrorBytes = 64 * 1024

export interface ProviderCall {
  url: string
  headers: Record<string, string>
  method?: 'GET' | 'POST'
  body?: object | FormData
}

export type ProviderResponse = Response & { body: ReadableStream<Uint8Array> }

export async function callProvider(
  runtime: ModelRuntime,
  exchange: Exchange,
  { url, headers, body, method = body ? 'POST' : 'GET' }: ProviderCall,
): Promise<ProviderResponse> {
  const isJson = body !== undefined && !(body instanceof FormData)
  const response = await sendRequest(runtime, exchange, url, {
    method,
    headers: { ...headers, ...(isJson && { 'content-type': 'application/json' }), 'user-agent': 'keeper' },
    ...(body && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
  })
  if (!response.ok) {
    const text = await readErrorStart(response, exchange)
    const answer = { status: response.status, headers: response.headers, body: text, now: runtime.now() }
    const { failure, status, error } = toResponseFailure(exchange.context, answer)
    exchange.refusal = { status, error }
    exchange.fail(failure)
  } else if (response.body === null) exchange.failAs('provider-protocol')
  if (exchange.failure) throw exchange.failure
  exchange.hasAnswerStarted = true
  return response as ProviderResponse
}

async function sendRequest(
  runtime: ModelRuntime,
  exchange: Exchange,
  url: string,
  init: RequestInit,
): Promise<Response> {
  try {
    return await watchConnection(exchange, () =>
      exchange.waitFor(runtime.fetch(url, { ...init, redirect: 'error', signal: exchange.signal })),
    )
  } catch (error) {
    exchange.fail(toNetworkFailure(exchange.context, error))
    throw exchange.failure
  } finally {
    exchange.stopConnectTimer()
  }
}

/** The start of an error body. Read failures are ignored, because the status is already known. */
async function readErrorStart(response: Response, exchange: Exchange): Promise<string> {
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

const drainTimeoutMs = 250

/** A body left early gets a moment to finish, so that its connection can be reused. */
export async function* readBodyChunks(
  body: ReadableStream<Uint8Array>,
  exchange: Exchange,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => undefined)
  exchange.signal.addEventListener('abort', cancel)
  let byteCount = 0
  let isDone = false
  try {
    while (!exchange.failure) {
      const next = await exchange.waitFor(reader.read())
      isDone = next.done
      if (next.done) return
      byteCount += next.value.byteLength
      if (byteCount > exchange.limits.maxResponseBytes) return exchange.failAs('provider-protocol')
      yield next.value
    }
  } catch (error) {
    exchange.fail(toNetworkFailure(exchange.context, error))
  } finally {
    exchange.signal.removeEventListener('abort', cancel)
    if (!isDone) void drain(reader, exchange.failure ? 0 : drainTimeoutMs)
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), timeoutMs)
  try {
    let isDone = timeoutMs <= 0
    while (!isDone) isDone = (await reader.read()).done
  } catch {
  } finally {
    if (timeoutMs > 0) clearTimeout(timer)
  }
}
