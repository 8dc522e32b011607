type LabelValues = readonly string[]

interface MetricOptions {
  name: string
  help: string
  labels?: readonly string[]
}

/** Bounds the series of one metric, in case a label isn't from a fixed list. Further series are dropped and counted. */
const maxSeries = 5_000

abstract class Metric<Series> {
  readonly #options: MetricOptions
  readonly #type: string
  readonly #series = new Map<string, Series>()
  readonly #droppedSeries: { count: number }

  constructor(type: string, options: MetricOptions, droppedSeries: { count: number }) {
    this.#type = type
    this.#options = options
    this.#droppedSeries = droppedSeries
  }

  protected abstract createSeries(name: string, labels: string): Series
  protected abstract renderSeries(series: Series): string

  protected getSeries(labelValues: LabelValues): Series | undefined {
    const key = labelValues.length === 1 ? labelValues[0]! : labelValues.join('\n')
    const existing = this.#series.get(key)
    if (existing) return existing
    if (this.#series.size >= maxSeries) {
      this.#droppedSeries.count += 1
      return undefined
    }
    const { name, labels = [] } = this.#options
    const pairs = labels.map((label, index) => `${label}="${escapeLabel(labelValues[index] ?? '')}"`)
    const series = this.createSeries(name, pairs.join(','))
    this.#series.set(key, series)
    return series
  }

  render(): string {
    const { name, help } = this.#options
    let text = `# HELP ${name} ${help}\n# TYPE ${name} ${this.#type}\n`
    for (const series of this.#series.values()) text += this.renderSeries(series)
    return text
  }
}

interface NumberSeries {
  prefix: string
  value: number
}

abstract class NumberMetric extends Metric<NumberSeries> {
  protected createSeries(name: string, labels: string): NumberSeries {
    return { prefix: labels === '' ? `${name} ` : `${name}{${labels}} `, value: 0 }
  }

  protected renderSeries({ prefix, value }: NumberSeries): string {
    return `${prefix}${value}\n`
  }
}

export class Counter extends NumberMetric {
  add(amount: number, ...labelValues: string[]): void {
    const series = this.getSeries(labelValues)
    if (series && amount > 0) series.value += amount
  }

  /** For totals that something else counts, such as the process. */
  setTotal(total: number, ...labelValues: string[]): void {
    const series = this.getSeries(labelValues)
    if (series) series.value = total
  }
}

export class Gauge extends NumberMetric {
  set(value: number, ...labelValues: string[]): void {
    const series = this.getSeries(labelValues)
    if (series) series.value = value
  }
}

interface HistogramSeries {
  counts: number[]
  prefixes: string[]
  sumPrefix: string
  countPrefix: string
  sum: number
  /** Cached until the next observation, since most series don't change between two scrapes. */
  text: string | undefined
}

/** Label texts are built once per series, since a scrape renders thousands of lines. */
export class Histogram extends Metric<HistogramSeries> {
  readonly #bounds: readonly number[]

  constructor(options: MetricOptions & { buckets: readonly number[] }, droppedSeries: { count: number }) {
    super('histogram', options, droppedSeries)
    this.#bounds = [...options.buckets, Number.POSITIVE_INFINITY]
  }

  observe(value: number, ...labelValues: string[]): void {
    const series = this.getSeries(labelValues)
    if (!series) return
    const bucket = this.#bounds.findIndex((bound) => value <= bound)
    if (bucket === -1) return
    series.counts[bucket]! += 1
    series.sum += value
    series.text = undefined
  }

  protected createSeries(name: string, labels: string): HistogramSeries {
    const separator = labels === '' ? '' : ','
    const suffix = labels === '' ? ' ' : `{${labels}} `
    return {
      counts: this.#bounds.map(() => 0),
      prefixes: this.#bounds.map((bound) => `${name}_bucket{${labels}${separator}le="${formatBound(bound)}"} `),
      sumPrefix: `${name}_sum${suffix}`,
      countPrefix: `${name}_count${suffix}`,
      sum: 0,
      text: undefined,
    }
  }

  protected renderSeries(series: HistogramSeries): string {
    series.text ??= renderHistogram(series)
    return series.text
  }
}

function renderHistogram({ counts, prefixes, sumPrefix, countPrefix, sum }: HistogramSeries): string {
  let total = 0
  const lines = counts.map((count, index) => {
    total += count
    return `${prefixes[index]}${total}`
  })
  return [...lines, `${sumPrefix}${sum}`, `${countPrefix}${total}`, ''].join('\n')
}

function formatBound(bound: number): string {
  return bound === Number.POSITIVE_INFINITY ? '+Inf' : String(bound)
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/** Metrics in Prometheus' text format 0.0.4. */
export class MetricRegistry {
  readonly #metrics: { render(): string }[] = []
  readonly #droppedSeries = { count: 0 }

  counter(name: string, help: string, labels?: readonly string[]): Counter {
    return this.#add(new Counter('counter', { name, help, ...(labels && { labels }) }, this.#droppedSeries))
  }

  gauge(name: string, help: string, labels?: readonly string[]): Gauge {
    return this.#add(new Gauge('gauge', { name, help, ...(labels && { labels }) }, this.#droppedSeries))
  }

  histogram(name: string, help: string, buckets: readonly number[], labels?: readonly string[]): Histogram {
    return this.#add(new Histogram({ name, help, buckets, ...(labels && { labels }) }, this.#droppedSeries))
  }

  get droppedSeries(): number {
    return this.#droppedSeries.count
  }

  render(): string {
    return this.#metrics.map((metric) => metric.render()).join('')
  }

  #add<Added extends { render(): string }>(metric: Added): Added {
    this.#metrics.push(metric)
    return metric
  }
}
