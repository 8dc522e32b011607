import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Usage } from '#contract/agents/runs.ts'
import type { EngineDriver } from '#server/db/engine-driver.ts'
import { MetricRegistry } from './metric-registry.ts'

export type EmailOutcome = 'sent' | 'refused' | 'server-failed'
type Queue = 'emails' | 'search_index' | 'imports' | 'runs'
type StreamKind = 'answers' | 'tabs'

/** Numbers that are read for each scrape. */
export interface GaugeReadings {
  queueDepths: Partial<Record<Queue, number>>
  databaseBytes: number | null
  lastBackupMs: number | null
  sessions: number
  streams: Record<StreamKind, number>
  droppedSpans: number
}

export interface RunMeasurement {
  provider: string
  outcome: string
  seconds: number
  usage: Usage
}

const requestBuckets = [0.005, 0.025, 0.1, 0.5, 2.5, 10]
const runBuckets = [0.5, 1, 2.5, 5, 10, 30, 60, 300]
const queryBuckets = [0.0005, 0.002, 0.01, 0.05, 0.25, 1]
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const outcomes = new Set(['success', 'error', 'stopped', 'interrupted'])
const microsecondsPerSecond = 1e6
const nanosecondsPerSecond = 1e9
const lagResolutionMs = 20
/** The operator names providers, so their number has no other bound. */
const maxProviders = 40

/** Labels come from short, fixed lists: never a person, an agent, a text or an address. */
export class Metrics {
  readonly #registry = new MetricRegistry()
  readonly #requestDuration = this.#registry.histogram(
    'keeper_http_request_duration_seconds',
    'Time until the headers of a response were ready, by route pattern.',
    requestBuckets,
    ['route', 'method', 'status'],
  )
  readonly #requestsInFlight = this.#registry.gauge('keeper_http_requests_in_flight', 'Requests without headers yet.')
  readonly #runs = this.#registry.counter('keeper_runs_total', 'Finished runs of agents.', ['provider', 'outcome'])
  readonly #runDuration = this.#registry.histogram(
    'keeper_run_duration_seconds',
    'Duration of finished runs.',
    runBuckets,
    ['provider'],
  )
  readonly #runTokens = this.#registry.counter('keeper_run_tokens_total', 'Tokens of finished runs.', [
    'provider',
    'direction',
  ])
  readonly #runCost = this.#registry.counter('keeper_run_cost_usd_total', 'Cost of finished runs, where known.', [
    'provider',
  ])
  readonly #emails = this.#registry.counter('keeper_email_deliveries_total', 'Attempts to send an email.', [
    'kind',
    'outcome',
  ])
  readonly #queryDuration = this.#registry.histogram(
    'keeper_db_query_duration_seconds',
    'Duration of database operations.',
    queryBuckets,
    ['operation'],
  )
  readonly #queueDepth = this.#registry.gauge('keeper_queue_depth', 'Waiting or running work.', ['queue'])
  readonly #databaseBytes = this.#registry.gauge('keeper_db_file_bytes', 'Size of the database.')
  readonly #lastBackup = this.#registry.gauge(
    'keeper_last_backup_timestamp_seconds',
    'When the newest backup in the data folder was made.',
  )
  readonly #sessions = this.#registry.gauge('keeper_sessions', 'Signed-in sessions.')
  readonly #streams = this.#registry.gauge('keeper_streams', 'Open event streams of this process.', ['kind'])
  readonly #droppedSpans = this.#registry.counter(
    'keeper_trace_spans_dropped_total',
    'Spans that the trace collector did not accept.',
  )
  readonly #droppedSeries = this.#registry.counter(
    'keeper_metrics_series_dropped_total',
    'Measurements dropped because a metric had too many series.',
  )
  readonly #eventLoopLag = this.#registry.gauge(
    'keeper_event_loop_lag_seconds',
    'Delay of the event loop since the last scrape.',
    ['percentile'],
  )
  readonly #cpu = this.#registry.counter('process_cpu_seconds_total', 'User and system CPU time of this process.')
  readonly #memory = this.#registry.gauge('process_resident_memory_bytes', 'Resident memory of this process.')
  readonly #startTime = this.#registry.gauge('process_start_time_seconds', 'When this process started.')
  readonly #heap = this.#registry.gauge('nodejs_heap_size_used_bytes', 'Used heap of this process.')
  readonly #providers = new Set<string>()
  readonly #loopDelays = monitorEventLoopDelay({ resolution: lagResolutionMs })
  #inFlight = 0

  constructor({ version, database }: { version: string; database: string }) {
    const build = this.#registry.gauge('keeper_build_info', 'Version of Keeper and what it runs on.', [
      'version',
      'node',
      'database',
    ])
    build.set(1, version, process.versions.node, database)
    this.#loopDelays.enable()
    this.#startTime.set(Date.now() / 1000 - process.uptime())
  }

  /** @param getRoute the pattern of the matched route, known only once the response exists */
  async measureRequest(
    method: string,
    getRoute: () => string | undefined,
    respond: () => Response | Promise<Response>,
  ): Promise<Response> {
    const startedAt = performance.now()
    let status = 500
    this.#inFlight += 1
    try {
      const response = await respond()
      status = response.status
      return response
    } finally {
      this.#inFlight -= 1
      this.#requestDuration.observe(
        (performance.now() - startedAt) / 1000,
        getRoute() ?? 'other',
        methods.has(method) ? method : 'other',
        `${Math.floor(status / 100)}xx`,
      )
    }
  }

  recordRun({ provider, outcome, seconds, usage }: RunMeasurement): void {
    const label = this.#toProviderLabel(provider)
    this.#runs.add(1, label, outcomes.has(outcome) ? outcome : 'error')
    this.#runDuration.observe(seconds, label)
    this.#runTokens.add(usage.input_tokens, label, 'input')
    this.#runTokens.add(usage.output_tokens, label, 'output')
    this.#runCost.add(usage.cost_usd ?? 0, label)
  }

  countEmail(kind: string, outcome: EmailOutcome): void {
    this.#emails.add(1, kind, outcome)
  }

  recordQuery(operation: string, seconds: number): void {
    this.#queryDuration.observe(seconds, operation)
  }

  render(readings: GaugeReadings): string {
    for (const [queue, depth] of Object.entries(readings.queueDepths)) this.#queueDepth.set(depth, queue)
    if (readings.databaseBytes !== null) this.#databaseBytes.set(readings.databaseBytes)
    if (readings.lastBackupMs !== null) this.#lastBackup.set(readings.lastBackupMs / 1000)
    this.#sessions.set(readings.sessions)
    for (const [kind, count] of Object.entries(readings.streams)) this.#streams.set(count, kind)
    this.#droppedSpans.setTotal(readings.droppedSpans)
    this.#droppedSeries.setTotal(this.#registry.droppedSeries)
    this.#requestsInFlight.set(this.#inFlight)
    this.#readEventLoopLag()
    const { user, system } = process.cpuUsage()
    this.#cpu.setTotal((user + system) / microsecondsPerSecond)
    const { rss, heapUsed } = process.memoryUsage()
    this.#memory.set(rss)
    this.#heap.set(heapUsed)
    return this.#registry.render()
  }

  stop(): void {
    this.#loopDelays.disable()
  }

  #readEventLoopLag(): void {
    const percentiles = {
      p50: this.#loopDelays.percentile(50),
      p99: this.#loopDelays.percentile(99),
      max: this.#loopDelays.max,
    }
    this.#loopDelays.reset()
    // The timer's own interval is part of each sample.
    for (const [percentile, nanoseconds] of Object.entries(percentiles))
      this.#eventLoopLag.set(Math.max(0, nanoseconds / nanosecondsPerSecond - lagResolutionMs / 1000), percentile)
  }

  #toProviderLabel(provider: string): string {
    if (this.#providers.size < maxProviders) this.#providers.add(provider)
    return this.#providers.has(provider) ? provider : 'other'
  }
}

type Operation = 'read' | 'write' | 'batch' | 'long_read' | 'query'

/** Times every operation of the engine. Replaces its methods, so that nothing is measured unless this is called. */
export function observeDatabase(driver: EngineDriver, record: (operation: Operation, seconds: number) => void): void {
  const measure = <Args extends unknown[], Result>(operation: Operation, run: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      const startedAt = performance.now()
      try {
        return await run(...args)
      } finally {
        record(operation, (performance.now() - startedAt) / 1000)
      }
    }
  }
  const { read, write, batch, longRead, acquireConnection } = driver
  Object.assign(driver, {
    read: measure('read', read.bind(driver)),
    write: measure('write', write.bind(driver)),
    batch: measure('batch', batch.bind(driver)),
  })
  if (driver.engine === 'sqlite') {
    // Queries through Kysely call `read` and `write` there.
    Object.assign(driver, { longRead: measure('long_read', longRead.bind(driver)) })
    return
  }
  driver.acquireConnection = async (...args) => {
    const connection = await acquireConnection.apply(driver, args)
    connection.executeQuery = measure(
      'query',
      connection.executeQuery.bind(connection),
    ) as typeof connection.executeQuery
    return connection
  }
}
