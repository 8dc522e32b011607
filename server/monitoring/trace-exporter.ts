import type { Log } from '#server/http/log.ts'
import type { ModelRuntime } from '#server/models/run-model.ts'
import type { TraceExport } from '#server/settings/monitoring.ts'
import { type ExportedRun, type OtlpSpan, toAttributes, toOtlpSpans } from './otlp-spans.ts'

const maxQueuedSpans = 4_096
const batchSize = 512
const batchIntervalMs = 5_000
const requestTimeoutMs = 10_000
const maxAttempts = 6
const initialWaitMs = 1_000
const maxWaitMs = 60_000
const maxResponseBytes = 64 * 1024
const retryableStatuses = new Set([429, 502, 503, 504])
/** Time for the last batch when the server stops. */
const stopTimeoutMs = 3_000

type Runtime = Pick<ModelRuntime, 'fetch' | 'sleep' | 'now' | 'random'>

interface ExporterOptions {
  target: TraceExport
  runtime: Runtime
  log: Log
  version: string
}

type SendOutcome =
  | { kind: 'sent'; rejectedCount: number }
  | { kind: 'retry'; waitMs: number | null }
  | { kind: 'refused' }

/** Sends runs as OpenTelemetry traces (OTLP, JSON over HTTP). Its queue is bounded, and a run never waits for it. */
export class TraceExporter {
  droppedCount = 0
  readonly #options: ExporterOptions
  readonly #queue: OtlpSpan[] = []
  readonly #stopController = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  readonly #loggedProblems = new Set<string>()

  constructor(options: ExporterOptions) {
    this.#options = options
  }

  exportRun(run: ExportedRun): void {
    const spans = toOtlpSpans(run)
    const accepted = spans.slice(0, Math.max(0, maxQueuedSpans - this.#queue.length))
    this.#queue.push(...accepted)
    this.#drop(spans.length - accepted.length, 'the queue is full')
    this.#schedule()
  }

  /** Tries once to send the queued spans, for at most three seconds. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#stopController.abort()
    const timeout = AbortSignal.timeout(stopTimeoutMs)
    const timedOut = new Promise<void>((resolve) => timeout.addEventListener('abort', () => resolve()))
    await Promise.race([this.#sending ?? this.#sendAll(), timedOut])
  }

  #schedule(): void {
    if (this.#sending || this.#queue.length === 0) return
    if (this.#queue.length >= batchSize) this.#start()
    else this.#timer ??= setTimeout(() => this.#start(), batchIntervalMs).unref()
  }

  #start(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending = this.#sendAll().finally(() => {
      this.#sending = undefined
      if (!this.#stopController.signal.aborted) this.#schedule()
    })
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) await this.#sendWithRetries(this.#queue.splice(0, batchSize))
  }

  async #sendWithRetries(spans: OtlpSpan[]): Promise<void> {
    const { runtime, log } = this.#options
    const { signal } = this.#stopController
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#send(spans)
      if (outcome.kind === 'sent') {
        if (this.#loggedProblems.size > 0) log.info('traces are exported again')
        this.#loggedProblems.clear()
        return this.#drop(outcome.rejectedCount, 'the collector rejected them')
      }
      if (outcome.kind === 'refused') return this.#drop(spans.length, 'the collector refused them')
      if (attempt >= maxAttempts || signal.aborted)
        return this.#drop(spans.length, 'the collector did not accept them in time')
      const backoffMs = initialWaitMs * 2 ** (attempt - 1) * (0.5 + runtime.random() / 2)
      await runtime.sleep(Math.min(outcome.waitMs ?? backoffMs, maxWaitMs), signal)
    }
  }

  async #send(spans: OtlpSpan[]): Promise<SendOutcome> {
    const { target, runtime, version } = this.#options
    const attributes = { ...target.resourceAttributes, 'service.name': target.serviceName, 'service.version': version }
    const body = {
      resourceSpans: [
        {
          resource: { attributes: toAttributes(attributes) },
          scopeSpans: [{ scope: { name: 'keeper', version }, spans }],
        },
      ],
    }
    try {
      const response = await runtime.fetch(target.endpoint, {
        method: 'POST',
        headers: { ...target.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        // The headers often hold a key, which belongs to this address only.
        redirect: 'manual',
        signal: AbortSignal.timeout(requestTimeoutMs),
      })
      if (response.ok) return { kind: 'sent', rejectedCount: await readRejectedSpans(response) }
      await response.body?.cancel()
      this.#warnOnce(`it answered ${response.status}`)
      if (!retryableStatuses.has(response.status)) return { kind: 'refused' }
      return { kind: 'retry', waitMs: readRetryAfter(response.headers.get('retry-after'), runtime.now()) }
    } catch {
      this.#warnOnce('it could not be reached')
      return { kind: 'retry', waitMs: null }
    }
  }

  #drop(count: number, reason: string): void {
    if (count <= 0) return
    this.droppedCount += count
    this.#warnOnce(reason)
  }

  /** Logs each problem once, until an export succeeds. The endpoint's own text isn't logged. */
  #warnOnce(problem: string): void {
    if (this.#loggedProblems.has(problem)) return
    this.#loggedProblems.add(problem)
    const { log, target } = this.#options
    log.warn(
      { collector: new URL(target.endpoint).host, problem, dropped: this.droppedCount },
      'traces could not be exported',
    )
  }
}

async function readRejectedSpans(response: Response): Promise<number> {
  const text = await readStart(response).catch(() => '')
  try {
    const { partialSuccess } = JSON.parse(text) as {
      partialSuccess?: { rejectedSpans?: string | number }
    }
    const rejectedCount = Number(partialSuccess?.rejectedSpans ?? 0)
    return Number.isSafeInteger(rejectedCount) && rejectedCount > 0 ? rejectedCount : 0
  } catch {
    return 0
  }
}

async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxResponseBytes) break
  }
  return text
}

/** Seconds or a date. */
function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null
  const seconds = Number(header)
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isFinite(waitMs) && waitMs >= 0 ? waitMs : null
}
