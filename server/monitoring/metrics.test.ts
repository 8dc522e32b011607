import { describe, expect, it } from 'vitest'
import { diagnostics } from '#contract/diagnostics/diagnostics.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { readSettings } from '#server/settings/settings.ts'
import { cast } from '#tests/cast.ts'
import { createTestKeeper } from '#tests/create-test-keeper.ts'
import { engines } from '#tests/engines.ts'
import { createTestApp } from '#tests/test-app.ts'
import { useApp } from '#tests/use-test-app.ts'
import { MetricRegistry } from './metric-registry.ts'

const token = 'metrics-token-4711'
const withToken = { headers: { authorization: `Bearer ${token}` } }

describe.each(engines)('/metrics, on %s', (engine) => {
  const { app, ada } = useApp(() => createTestApp(engine, { environment: { KEEPER_METRICS_TOKEN: token } }), ['ada'])
  const scrape = async () => (await app.fetch('/metrics', withToken)).text()

  it('needs the token', async () => {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer x',
      `Bearer ${token}x`,
      `Basic ${token}`,
      `Bearer ${ada.token}`,
    ]) {
      const answer = await app.fetch('/metrics', { headers: { authorization } })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toContain('Bearer')
      expect(await answer.text()).not.toContain('keeper_')
    }
    const answer = await app.fetch('/metrics', withToken)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('has the documented metrics', async () => {
    const names = [...(await scrape()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(
      expect.arrayContaining([
        'keeper_build_info',
        'keeper_http_request_duration_seconds',
        'keeper_http_requests_in_flight',
        'keeper_runs_total',
        'keeper_run_duration_seconds',
        'keeper_run_tokens_total',
        'keeper_run_cost_usd_total',
        'keeper_queue_depth',
        'keeper_email_deliveries_total',
        'keeper_db_query_duration_seconds',
        'keeper_db_file_bytes',
        'keeper_last_backup_timestamp_seconds',
        'keeper_sessions',
        'keeper_streams',
        'keeper_event_loop_lag_seconds',
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
        'process_start_time_seconds',
        'nodejs_heap_size_used_bytes',
      ]),
    )
  })

  it('labels requests with patterns from a bounded list, without personal data', async () => {
    const { id } = await createTestKeeper(ada, { title: 'Canary keeper' })
    expect((await ada.call(keepers.show, { params: { id } })).status).toBe(200)
    await app.fetch(`/api/keeper/keepers/${'f'.repeat(32)}?email=canary@sea.example`)
    for (let index = 0; index < 50; index++) {
      await app.fetch(`/canary-${index}`)
      await app.fetch('/api/nothing', { method: `CANARY${index}` })
    }
    await app.visitor().call(diagnostics.ping)
    const text = await scrape()
    expect(text).toMatch(/keeper_http_request_duration_seconds_count\{route="\/ping",method="GET",status="2xx"\} [1-9]/)
    expect(text).toMatch(/route="\/api\/keeper\/keepers\/:id",method="GET",status="2xx"/)
    expect(text).toMatch(/_count\{route="other",method="GET",status="4xx"\} [1-9]/)
    for (const word of ['canary', 'Canary', id, ada.id, cast.ada.email, cast.ada.name, 'willowbrook', token])
      expect(text).not.toContain(word)
    expect(text).toMatch(/keeper_db_query_duration_seconds_count\{operation="\w+"\} [1-9]/)
    expect(text).toMatch(/^keeper_sessions [1-9]/m)
    expect(text).toMatch(/^keeper_db_file_bytes [1-9]/m)
  })

  it('has cumulative buckets that end in the count', async () => {
    const text = await scrape()
    const histograms = Map.groupBy(
      text.matchAll(/^(\w+)_bucket\{(.*?),?le="([^"]+)"\} (\d+)$/gm),
      ([, name, labels]) => `${name} ${labels}`,
    )
    expect(histograms.size).toBeGreaterThan(3)
    for (const [series, buckets] of histograms) {
      const counts = buckets.map((bucket) => Number(bucket[4]))
      expect(counts, series).toEqual(counts.toSorted((left, right) => left - right))
      expect(buckets.at(-1)?.[3]).toBe('+Inf')
      const [name, labels] = series.split(' ')
      expect(text).toContain(`${name}_count${labels ? `{${labels}}` : ''} ${counts.at(-1)}\n`)
    }
  })
})

it('the metrics page is a 404 for everyone unless the token is set', async () => {
  const app = await createTestApp('sqlite')
  expect((await app.fetch('/metrics', withToken)).status).toBe(404)
  expect((await app.fetch('/metrics')).status).toBe(404)
  await app.close()
})

it('a short token prevents the start, and the error hides it', () => {
  expect(() => readSettings({ KEEPER_METRICS_TOKEN: 'harbour' })).toThrow(
    'KEEPER_METRICS_TOKEN must have at least 16 characters; it has 7.',
  )
})

it('label values are escaped, and series beyond the limit are dropped and counted', () => {
  const registry = new MetricRegistry()
  const counter = registry.counter('keeper_test_total', 'A test.', ['name'])
  counter.add(1, 'a"b\\c\nd')
  expect(registry.render()).toBe(
    '# HELP keeper_test_total A test.\n# TYPE keeper_test_total counter\nkeeper_test_total{name="a\\"b\\\\c\\nd"} 1\n',
  )
  for (let index = 0; index < 6_000; index++) counter.add(1, `${index}`)
  expect(registry.droppedSeries).toBe(1_001)
})
