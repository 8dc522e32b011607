import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number; message?: string }
}

interface CollectorAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
}

export interface TraceCollector {
  url: string
  /** Spans of accepted requests. */
  spans: CollectedSpan[]
  requests: { path: string; headers: IncomingHttpHeaders; body: string }[]
  /** Rules of the protocol that a request broke. */
  violations: string[]
  /** Answers for the next requests; after them, everything is accepted. */
  script(...answers: CollectorAnswer[]): void
  close(): Promise<void>
}

/** An OTLP collector that checks the JSON encoding that the specification defines. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const pendingAnswers: CollectorAnswer[] = []
  const collector: Omit<TraceCollector, 'url' | 'close'> = {
    spans: [],
    requests: [],
    violations: [],
    script: (...answers) => void pendingAnswers.push(...answers),
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    collector.requests.push({ path: request.url ?? '', headers: request.headers, body })
    if (request.headers['content-type'] !== 'application/json') collector.violations.push('content-type')
    const spans = readSpans(body)
    collector.violations.push(...spans.flatMap(findViolations))
    const { status, headers = {}, body: text = '{}' } = pendingAnswers.shift() ?? { status: 200 }
    if (status === 200) collector.spans.push(...spans)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...collector,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function readSpans(body: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[]
  }
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
}

function findViolations(span: CollectedSpan): string[] {
  const { traceId, spanId, parentSpanId, kind, startTimeUnixNano: start, endTimeUnixNano: end } = span
  const rules: [rule: string, isMet: boolean][] = [
    ['hex trace id', /^[0-9a-f]{32}$/.test(traceId)],
    ['hex span id', /^[0-9a-f]{16}$/.test(spanId)],
    ['hex parent id', parentSpanId === undefined || /^[0-9a-f]{16}$/.test(parentSpanId)],
    ['numeric kind', Number.isInteger(kind) && kind >= 1 && kind <= 5],
    ['64-bit times as strings', /^\d{19}$/.test(start) && /^\d{19}$/.test(end) && BigInt(end) >= BigInt(start)],
    ['typed attributes', span.attributes.every(({ value }) => Object.keys(value).length === 1)],
    [
      '64-bit values as strings',
      span.attributes.every(({ value }) => !('intValue' in value) || /^-?\d+$/.test(value.intValue as string)),
    ],
  ]
  return rules.flatMap(([rule, isMet]) => (isMet ? [] : [`${rule}: ${JSON.stringify(span)}`]))
}
