import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunSpan } from '#contract/agents/runs.ts'
import { createLog } from '#server/http/log.ts'
import { readSettings } from '#server/settings/settings.ts'
import { eventually } from '#tests/eventually.ts'
import { startTraceCollector, type TraceCollector } from '#tests/fakes/trace-collector.ts'
import { TraceExporter } from './trace-exporter.ts'

let collector: TraceCollector
let sleptMs: number[]
let logLines: string[]
beforeEach(async () => {
  collector = await startTraceCollector()
  sleptMs = []
  logLines = []
})
afterEach(() => collector.close())

const step: RunSpan = {
  id: 'a'.repeat(32),
  parent_id: null,
  kind: 'agent',
  name: 'Lead',
  agent_slug: 'lead',
  provider: null,
  model: null,
  started_ms: 0,
  ended_ms: 5,
  failure: null,
  input: 'canary question',
  output: 'canary answer',
  reasoning: 'canary thought',
  memory: [{ entity: 'card', id: 'x', title: 'canary title', text: 'canary card' }],
  usage: null,
}
const createRun = (steps = 1) => ({
  id: 'b'.repeat(32),
  sessionId: null,
  startedAt: Date.UTC(2026, 0, 1),
  elapsedMs: 5,
  isStreamed: true,
  steps: Array.from({ length: steps }, (_, index) => ({ ...step, id: `${index}` })),
})

function createExporter(environment: Record<string, string> = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }) {
  const { traceExport } = readSettings(environment)
  if (!traceExport) throw new Error('no export is set up')
  return new TraceExporter({
    target: traceExport,
    version: '1.2.3',
    log: createLog('debug', { write: (line) => void logLines.push(line) }),
    runtime: {
      fetch,
      sleep: async (ms) => void sleptMs.push(ms),
      now: () => Date.UTC(2026, 0, 1),
      random: () => 1,
    },
  })
}

it('a run is sent to /v1/traces with headers, service and version, without texts', async () => {
  const exporter = createExporter({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otel/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20abc%3D,x-team=one',
    OTEL_SERVICE_NAME: 'home',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
  })
  exporter.exportRun(createRun())
  await exporter.stop()
  expect(collector.requests[0]).toMatchObject({
    path: '/otel/v1/traces',
    headers: { authorization: 'Basic abc=', 'x-team': 'one' },
  })
  const { resourceSpans } = JSON.parse(collector.requests[0]?.body ?? '{}')
  expect(resourceSpans[0].resource.attributes).toEqual([
    { key: 'deployment.environment', value: { stringValue: 'test' } },
    { key: 'service.name', value: { stringValue: 'home' } },
    { key: 'service.version', value: { stringValue: '1.2.3' } },
  ])
  expect(collector.violations).toEqual([])
  expect(collector.requests[0]?.body).not.toContain('canary')
})

it.each([[429], [502], [503], [504]])('%i is tried again after Retry-After, without loss', async (status) => {
  const exporter = createExporter()
  collector.script({ status, headers: { 'retry-after': '7' } }, { status })
  exporter.exportRun(createRun(600))
  await eventually(() => expect(collector.spans).toHaveLength(600))
  expect(sleptMs).toEqual([7_000, 2_000])
  expect(exporter.droppedCount).toBe(0)
})

it('Retry-After can be a date, and is bounded', async () => {
  const exporter = createExporter()
  const retryAfter = new Date(Date.UTC(2026, 0, 1) + 30_000).toUTCString()
  collector.script(
    { status: 503, headers: { 'retry-after': retryAfter } },
    { status: 503, headers: { 'retry-after': '86400' } },
    { status: 503, headers: { 'retry-after': 'soon' } },
  )
  exporter.exportRun(createRun(512))
  await eventually(() => expect(collector.spans).toHaveLength(512))
  expect(sleptMs).toEqual([30_000, 60_000, 4_000])
})

it.each([[400], [401], [404], [413], [500], [302]])('%i drops the batch and counts it', async (status) => {
  const exporter = createExporter()
  collector.script({ status, headers: { location: 'http://127.0.0.1:1/' }, body: 'canary of the collector' })
  exporter.exportRun(createRun(512))
  await eventually(() => expect(exporter.droppedCount).toBe(512))
  expect(sleptMs).toEqual([])
  expect(collector.requests).toHaveLength(1)
  expect(logLines.join('')).toContain('traces could not be exported')
  expect(logLines.join('')).not.toContain('canary')
})

it('rejected spans of a partial success are counted', async () => {
  const exporter = createExporter()
  collector.script({ status: 200, body: '{"partialSuccess":{"rejectedSpans":"3","errorMessage":"canary"}}' })
  exporter.exportRun(createRun(512))
  await eventually(() => expect(exporter.droppedCount).toBe(3))
  expect(logLines.join('')).not.toContain('canary')
})

it('a collector that is down costs a bounded queue, a few attempts and one line', async () => {
  await collector.close()
  const exporter = createExporter()
  for (let index = 0; index < 20; index++) exporter.exportRun(createRun(512))
  await eventually(() => expect(exporter.droppedCount).toBe(20 * 512))
  expect(sleptMs.length).toBeLessThanOrEqual(9 * 5)
  expect(logLines.filter((line) => line.includes('could not be reached'))).toHaveLength(1)
  collector = await startTraceCollector()
})

describe('the settings', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

  it('settings of the signal override the shared settings', () => {
    const { traceExport } = readSettings({
      ...endpoint,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=2',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'B=3',
    })
    expect(traceExport).toMatchObject({ endpoint: 'https://traces.example/in', headers: { a: '1', b: '3' } })
  })

  it.each(['http://c:4318', 'http://c:4318/', 'http://c:4318/v1/traces', 'http://c:4318/v1/traces/'])(
    'the endpoint %s gets the path once',
    (base) => {
      const { traceExport, notes } = readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: base })
      expect(traceExport?.endpoint).toBe('http://c:4318/v1/traces')
      expect(notes).toHaveLength(base.includes('traces') ? 1 : 0)
    },
  )

  it.each([[{}], [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }], [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }]])(
    '%o export nothing and need no note',
    (environment) => {
      expect(readSettings(environment)).toMatchObject({ traceExport: null, notes: [] })
    },
  )

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://ada:harbour@collector.example' }],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'harbour' }],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'key=harbour%0d%0ax: y' }],
  ])('%o export nothing, which one line explains without secrets', (environment) => {
    const { traceExport, notes } = readSettings(environment)
    expect(traceExport).toBeNull()
    expect(notes).toEqual([expect.stringMatching(/^runs aren’t exported as traces: /)])
    expect(notes[0]).not.toContain('harbour')
  })
})
