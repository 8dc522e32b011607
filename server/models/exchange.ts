import type { ModelFailure, ModelFailureCode } from './model-failure.ts'
import type { ModelLimits } from './model-limits.ts'
import type { FinishReason } from './model-request.ts'
import { ToolCallPieces } from './tool-call-pieces.ts'
import { type FailureContext, ownFailure } from './translate-failure.ts'

/**
 * One request to a provider and its answer: holds the clocks, and what the bytes said. Its word on success and
 * failure is final; the SDK only gets to read what passed here.
 */
export class Exchange {
  readonly context: FailureContext
  readonly limits: ModelLimits
  /** Aborts the request: the caller stopped, a clock ran out, or a limit was met. */
  readonly signal: AbortSignal
  failure: ModelFailure | undefined
  /** True once an answer with a good status and type began, which is no error in disguise. */
  answerBegan = false
  /** True once the provider's end mark was seen. */
  complete = false
  finish: FinishReason | undefined
  inputTokens: number | undefined
  outputTokens: number | undefined
  readonly toolCalls = new ToolCallPieces()
  /** Of a streamed answer; there once the provider began to answer. */
  words: AsyncGenerator<string> | undefined
  /** Resolves when `words` is there; never rejects. */
  readonly answering: Promise<void>
  /** Resolves when the last of the words was taken, or nobody wants any more; never rejects. */
  readonly wordsOver: Promise<void>
  #begin: () => void = () => {}
  #endWords: () => void = () => {}

  readonly #abort = new AbortController()
  readonly #callerSignal: AbortSignal
  readonly #wallTimer: NodeJS.Timeout
  #silenceTimer: NodeJS.Timeout | undefined
  #connectTimer: NodeJS.Timeout | undefined
  #silentMs = 0
  #waitingSince: number | undefined
  #answering = false
  #closed = false

  constructor(
    context: FailureContext,
    limits: ModelLimits,
    { wallLeftMs, signal }: { wallLeftMs: number; signal: AbortSignal },
  ) {
    this.context = context
    this.limits = limits
    this.answering = new Promise((resolve) => {
      this.#begin = resolve
    })
    this.wordsOver = new Promise((resolve) => {
      this.#endWords = resolve
    })
    this.signal = this.#abort.signal
    this.#callerSignal = signal
    this.#wallTimer = setTimeout(() => this.fail(ownFailure(context, 'provider-timeout')), wallLeftMs)
    signal.addEventListener('abort', this.#stop)
    if (signal.aborted) this.#stop()
  }

  beginAnswer(words: AsyncGenerator<string>): void {
    this.words = words
    this.#begin()
  }

  endWords(): void {
    this.#endWords()
  }

  /** The first failure counts; it also ends the request. */
  fail(failure: ModelFailure): void {
    if (this.complete || this.failure) return
    this.failure = failure
    this.#abort.abort(failure)
  }

  failAs(code: ModelFailureCode, options?: Parameters<typeof ownFailure>[2]): void {
    this.fail(ownFailure(this.context, code, options))
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
   * Waits for the network under the clock in force: the first-byte limit until `heard()` was called once, then the
   * idle limit. Only time spent waiting counts, so a slow reader on our side is not the provider's fault.
   */
  async waitFor<T>(work: Promise<T>): Promise<T> {
    const since = performance.now()
    this.#waitingSince = since
    if (!this.#closed) this.#silenceTimer ??= setTimeout(this.#lookForSilence, this.#patienceLeft())
    try {
      return await work
    } finally {
      this.#waitingSince = undefined
      this.#silentMs += performance.now() - since
    }
  }

  /** Something meaningful arrived: the silence is over. */
  heard(): void {
    this.#silentMs = 0
    if (this.#answering) return
    this.#answering = true
    clearTimeout(this.#silenceTimer)
    this.#silenceTimer = undefined
  }

  #patienceLeft(): number {
    return Math.max(0, (this.#answering ? this.limits.idleMs : this.limits.firstByteMs) - this.#silentMs)
  }

  /** One timer that looks again, instead of one that is set and cleared for each piece of an answer. */
  readonly #lookForSilence = (): void => {
    this.#silenceTimer = undefined
    if (this.#waitingSince === undefined) return
    const left = this.#patienceLeft() - (performance.now() - this.#waitingSince)
    // Timers may come a little early.
    if (left < 1) this.failAs('provider-timeout')
    else this.#silenceTimer = setTimeout(this.#lookForSilence, left)
  }

  /** Stops every clock, and the request too unless its answer is complete. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#wallTimer)
    clearTimeout(this.#connectTimer)
    clearTimeout(this.#silenceTimer)
    this.endWords()
    this.#callerSignal.removeEventListener('abort', this.#stop)
    if (!this.complete) this.#abort.abort()
  }

  readonly #stop = (): void => this.failAs('stopped')
}
