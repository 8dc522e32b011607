import type { TokenCounts } from './chat-api.ts'
import { watchConnection } from './connection-watch.ts'
import type { ModelFailure, ModelFailureCode } from './model-failure.ts'
import { type ModelLimits, timeoutNames, timeoutSettings } from './model-limits.ts'
import type { FinishReason, ModelRuntime } from './model-request.ts'
import type { ProviderError } from './provider-error.ts'
import { ToolCallAssembler } from './tool-call-pieces.ts'
import { createFailure, type FailureContext, toNetworkFailure, toResponseFailure } from './translate-failure.ts'

/** One request to a provider: its timeouts, its failure, and the state of its answer. */
export class Exchange {
  readonly context: FailureContext
  readonly limits: ModelLimits
  /** Aborts the request: the caller stopped, a clock ran out, or a limit was met. */
  readonly signal: AbortSignal
  failure: ModelFailure | undefined
  /** The provider's refusal; never shown, it can quote the prompt. */
  refused: { status: number; error: ProviderError } | undefined
  /** True once an answer with a good status began, which is no error in disguise. */
  answerBegan = false
  /** True once the whole answer is there. */
  complete = false
  finish: FinishReason | undefined
  finishWord: string | undefined
  /** Of the current request; {@link totalTokens} adds the previous ones. */
  tokens: TokenCounts = {}
  #tokensBefore: TokenCounts[] = []
  readonly toolCalls = new ToolCallAssembler()

  readonly #abort = new AbortController()
  readonly #callerSignal: AbortSignal
  readonly #startedAt = performance.now()
  #progressAt = this.#startedAt
  #wallMs: number
  #wallTimer: NodeJS.Timeout
  #silenceTimer: NodeJS.Timeout | undefined
  #connectTimer: NodeJS.Timeout | undefined
  #silentMs = 0
  #waitingSince: number | undefined
  #isAnswering = false
  #isClosed = false

  constructor(
    context: FailureContext,
    limits: ModelLimits,
    { wallLeftMs, signal }: { wallLeftMs: number; signal: AbortSignal },
  ) {
    this.context = context
    this.limits = limits
    this.signal = this.#abort.signal
    this.#callerSignal = signal
    this.#wallMs = wallLeftMs
    this.#wallTimer = setTimeout(this.#checkProgress, wallLeftMs)
    signal.addEventListener('abort', this.#stop)
    if (signal.aborted) this.#stop()
  }

  /** The provider gave a part of its answer and goes on with another request. */
  startNextPart(): void {
    this.#tokensBefore.push(this.tokens)
    this.tokens = {}
  }

  get totalTokens(): TokenCounts {
    if (this.#tokensBefore.length === 0) return this.tokens
    const all = [...this.#tokensBefore, this.tokens]
    const add = (name: keyof TokenCounts) => all.reduce((sum, tokens) => sum + (tokens[name] ?? 0), 0)
    return {
      input: add('input'),
      output: add('output'),
      cachedInput: add('cachedInput'),
      cacheWrites: add('cacheWrites'),
    }
  }

  /** The first failure counts; it also ends the request. */
  fail(failure: ModelFailure): void {
    if (this.complete || this.failure) return
    this.failure = failure
    this.#abort.abort(failure)
  }

  failAs(code: ModelFailureCode, options?: Parameters<typeof createFailure>[2]): void {
    this.fail(createFailure(this.context, code, options))
  }

  connecting(): void {
    this.#connectTimer ??= setTimeout(
      () => this.failAs('provider-unreachable', { retryable: true }),
      this.limits.connectMs,
    )
  }

  connected(): void {
    clearTimeout(this.#connectTimer)
  }

  /**
   * Waits for the network under the clock in force: the first-byte limit until the answer made progress, then the silence
   * limit. Only time spent waiting counts, so a slow consumer on our side does not count against the provider.
   */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    const since = performance.now()
    this.#waitingSince = since
    if (!this.#isClosed) this.#silenceTimer ??= setTimeout(this.#checkSilence, this.#silenceLeft())
    try {
      return await work
    } finally {
      this.#waitingSince = undefined
      this.#silentMs += performance.now() - since
    }
  }

  /** Any bytes show that the provider is alive. */
  receive(): void {
    this.#silentMs = 0
  }

  /** A part of the answer arrived. An answer that keeps coming may take as long as {@link ModelLimits.maxMs}. */
  advance(): void {
    this.#progressAt = performance.now()
    this.#wallMs = this.limits.wallMs
    if (this.#progressAt - this.#startedAt > this.limits.maxMs) this.#failAsTimeout('maxMs')
    if (this.#isAnswering) return
    this.#isAnswering = true
    clearTimeout(this.#silenceTimer)
    this.#silenceTimer = undefined
  }

  #silenceLeft(): number {
    return Math.max(0, (this.#isAnswering ? this.limits.idleMs : this.limits.firstByteMs) - this.#silentMs)
  }

  /** One timer that looks again, instead of one that is set and cleared for each chunk of an answer. */
  readonly #checkSilence = (): void => {
    this.#silenceTimer = undefined
    if (this.#waitingSince === undefined) return
    const left = this.#silenceLeft() - (performance.now() - this.#waitingSince)
    // Timers can fire slightly early.
    if (left < 1) this.#failAsTimeout(this.#isAnswering ? 'idleMs' : 'firstByteMs')
    else this.#silenceTimer = setTimeout(this.#checkSilence, left)
  }

  readonly #checkProgress = (): void => {
    const left = this.#wallMs - (performance.now() - this.#progressAt)
    if (left < 1) this.#failAsTimeout('wallMs')
    else this.#wallTimer = setTimeout(this.#checkProgress, left)
  }

  #failAsTimeout(limit: keyof typeof timeoutNames): void {
    const timeout = { name: timeoutNames[limit], setting: timeoutSettings[limit], ms: this.limits[limit] }
    this.failAs('provider-timeout', { timeout })
  }

  /** Stops every clock, and the request too unless its answer is complete. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#wallTimer)
    clearTimeout(this.#connectTimer)
    clearTimeout(this.#silenceTimer)
    this.#callerSignal.removeEventListener('abort', this.#stop)
    if (!this.complete) this.#abort.abort()
  }

  readonly #stop = (): void => this.failAs('stopped')
}

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

const drainMs = 250

/**
 * The body of an answer, chunk by chunk, under the exchange's clocks and size limit. Ends early, with the failure
 * noted on the exchange, when the connection breaks or a limit is met. A body left before its end is given a moment
 * to finish, so that the connection can be used again, and is cancelled then.
 */
export async function* readBodyChunks(
  body: ReadableStream<Uint8Array>,
  exchange: Exchange,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => undefined)
  exchange.signal.addEventListener('abort', cancel)
  let bytes = 0
  let done = false
  try {
    while (!exchange.failure) {
      const next = await exchange.waitFor(reader.read())
      done = next.done
      if (next.done) return
      bytes += next.value.byteLength
      if (bytes > exchange.limits.maxResponseBytes) return exchange.failAs('provider-protocol')
      yield next.value
    }
  } catch (error) {
    exchange.fail(toNetworkFailure(exchange.context, error))
  } finally {
    exchange.signal.removeEventListener('abort', cancel)
    if (!done) void drain(reader, exchange.failure ? 0 : drainMs)
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), timeoutMs)
  try {
    while (timeoutMs > 0 && !(await reader.read()).done);
  } catch {
    // The answer is complete, so a failure after it does not count.
  } finally {
    if (timeoutMs > 0) clearTimeout(timer)
  }
}
