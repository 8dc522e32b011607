import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { agents } from '#contract/agents/agents.ts'
import type { Provider } from '#contract/agents/model-settings.ts'
import type { KeySource, RunStatus } from '#contract/agents/runs.ts'
import { type UsageMetrics, usageCalls, usageGroups } from '#contract/agents/usage.ts'
import { type Database, type Engine, json, openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { dayMs } from '#server/values/time-units.ts'
import { createTestAgent } from '#tests/create-test-agent.ts'
import { createFreshDatabase, engines } from '#tests/engines.ts'
import type { Actor } from '#tests/test-app.ts'
import { useTestApp } from '#tests/use-test-app.ts'
import { calculatePercentile, sortDurations } from './run-durations.ts'

describe.each(engines)('usage on %s', (engine) => {
  const { app, ada, ben } = useTestApp(engine, ['ada', 'ben'])
  let shop: { id: string; slug: string }
  beforeAll(async () => {
    shop = await createTestAgent(ada, { name: '=Shop', slug: 'shop', agent_class: 'Lead', visibility: 'public' })
  })
  beforeEach(async () => {
    for (const table of ['model_calls', 'runs'] as const) await app.services.db.deleteFrom(table).execute()
  })

  interface RunFixture {
    by?: Actor | null
    ms?: number
    daysAgo?: number
    status?: RunStatus
    mock?: boolean
    calls?: Partial<{
      provider: Provider
      model: string
      tokens: [number, number]
      micros: number | null
      source: KeySource
      estimated: boolean
      failure: string
      ms: number
    }>[]
  }

  const createRun = async ({
    by = ada,
    ms = 100,
    daysAgo = 0,
    status = 'success',
    mock = false,
    calls = [{}],
  }: RunFixture) => {
    const { db } = app.services
    const id = app.services.newId()
    const created_at = app.services.now().getTime() - daysAgo * dayMs
    const actor = { person_id: by?.id ?? null, visitor_id: by ? null : 'visitor-canary' }
    const source = mock ? 'mock' : 'platform'
    const sum = (pick: (call: (typeof calls)[number]) => number) => calls.reduce((total, call) => total + pick(call), 0)
    const insert = db.insertInto('runs').values({
      id,
      agent_id: shop.id,
      agent_name: 'Shop',
      agent_slug: 'shop',
      agent_class: 'Lead',
      agent_owner_id: ada.id,
      agent_rev: 1,
      ...actor,
      session_id: null,
      input: 'secret words',
      response: 'secret answer',
      output: null,
      status,
      error_code: null,
      error: null,
      model_provider: 'openai',
      model: 'gpt-4o',
      model_settings: json({} as never),
      key_source: source,
      mock_mode: mock,
      attempts: 1,
      input_tokens: sum(({ tokens = [10, 20] }) => tokens[0]),
      output_tokens: sum(({ tokens = [10, 20] }) => tokens[1]),
      cost_micros: calls.some(({ micros }) => micros === null) ? null : sum(({ micros = 300 }) => micros ?? 0),
      usage_estimated: false,
      notes: json([]),
      created_at,
      execution_time_ms: ms,
      lease_until: 0,
      stop_requested: false,
    })
    const ledger = calls.map(({ micros = 300, ...call }) =>
      db.insertInto('model_calls').values({
        id: app.services.newId(),
        run_id: id,
        agent_id: shop.id,
        agent_owner_id: ada.id,
        ...actor,
        provider: call.provider ?? 'openai',
        model: call.model ?? 'gpt-4o',
        key_source: call.source ?? source,
        payer: 'platform',
        input_tokens: call.tokens?.[0] ?? 10,
        output_tokens: call.tokens?.[1] ?? 20,
        cost_micros: mock ? 0 : micros,
        estimated: call.estimated ?? false,
        failure: call.failure ?? null,
        duration_ms: call.ms ?? ms,
        created_at,
      }),
    )
    await db.batch([insert, ...ledger])
  }
  const showUsage = async (actor: Actor, query: Record<string, string> = {}) =>
    (await actor.call(usageCalls.show, { query })).data

  it('lists thirty days by default, including empty ones', async () => {
    await createRun({})
    await createRun({ daysAgo: 29 })
    await createRun({ daysAgo: 30 })
    const { from, to, rows, total } = await showUsage(ada)
    expect(rows.length).toBe(30)
    expect(rows[0]?.key).toEqual(from)
    expect(rows[29]?.key).toEqual(to)
    expect(rows.map((row) => row.runs)).toEqual([1, ...Array(28).fill(0), 1])
    expect(to).toBe(app.services.now().toISOString().slice(0, 10))
    expect(total.runs).toBe(2)
    expect((await showUsage(ada, { from: to, to })).rows).toMatchObject([{ key: to, runs: 1 }])
  })

  it('calculates percentiles by nearest rank', async () => {
    expect((await showUsage(ada)).total).toMatchObject({ p50_ms: null, p95_ms: null, runs: 0 })
    for (let ms = 100; ms >= 1; ms--) await createRun({ ms })
    const { rows, total } = await showUsage(ada, { groupBy: 'agent' })
    for (const metrics of [rows[0], total]) expect(metrics).toMatchObject({ p50_ms: 50, p95_ms: 95, runs: 100 })
    await createRun({ ms: 7, daysAgo: 1 })
    expect((await showUsage(ada)).rows.at(-2)).toMatchObject({ p50_ms: 7, p95_ms: 7 })
  })

  it('counts a run once, but requests per provider and model', async () => {
    await createRun({ calls: [{}, { provider: 'anthropic', model: 'claude-3-haiku', micros: 50, source: 'personal' }] })
    await createRun({ status: 'error', calls: [{ failure: 'provider-failed', micros: 0, tokens: [0, 0] }] })
    await createRun({ status: 'interrupted', calls: [{ micros: null, estimated: true }] })
    await createRun({ status: 'stopped', calls: [{ failure: 'stopped', micros: 0, tokens: [0, 0] }] })
    await createRun({ mock: true })
    const { total } = await showUsage(ada)
    expect(total).toMatchObject({ runs: 5, errors: 2, mock_runs: 1, unpriced_runs: 1, estimated: true })
    expect(total).toMatchObject({ cost_usd: 0.00035, platform_usd: 0.0003, personal_usd: 0.00005 })
    expect((await showUsage(ada, { groupBy: 'model' })).rows).toMatchObject([
      { key: 'openai/gpt-4o', runs: 5, errors: 1, mock_runs: 1, unpriced_runs: 1, cost_usd: 0.0003 },
      { key: 'anthropic/claude-3-haiku', runs: 1, errors: 0, personal_usd: 0.00005 },
    ])
  })

  it.each(usageGroups)('rows by %s sum up to the total', async (groupBy) => {
    for (const by of [ada, ben, null])
      for (const daysAgo of [0, 3]) await createRun({ by, daysAgo, calls: [{}, { provider: 'together', micros: 7 }] })
    const { rows, total } = await showUsage(ada, { groupBy, scope: 'agents' })
    const summed = ['runs', 'errors', 'mock_runs', 'input_tokens', 'output_tokens', 'cost_usd'] as const
    for (const name of summed) {
      const sum = rows.reduce((all, row) => all + row[name], 0)
      expect(sum, name).toBeCloseTo(total[name as keyof UsageMetrics] as number, 9)
    }
    expect(total.cost_usd).toBeCloseTo((6 * 307) / 1_000_000, 9)
  })

  it('shows own usage, and owners the usage of their agents', async () => {
    await createRun({ by: ben })
    await createRun({ by: null })
    expect((await showUsage(ada)).total.runs).toBe(0)
    expect((await showUsage(ben)).total.runs).toBe(1)
    expect((await showUsage(ben, { scope: 'agents' })).total.runs).toBe(0)
    const users = await ada.call(usageCalls.show, { query: { scope: 'agents', groupBy: 'user' } })
    expect(users.data.rows.map((row) => [row.key, row.label])).toEqual([
      [ben.id, expect.stringContaining('Ben')],
      ['visitors', 'Visitors'],
    ])
    expect(users.text).not.toContain('secret')
    expect(users.text).not.toContain('@')
    expect(users.text).not.toContain('visitor-canary')
  })

  it('platform usage requires view_analytics, which the refusal names', async () => {
    const refused = await ben.call(usageCalls.show, { query: { scope: 'platform' } })
    expect(refused.status).toBe(403)
    expect(refused.text.includes('view_analytics')).toBe(true)
    expect((await ben.call(usageCalls.exportFile, { query: { scope: 'platform' } })).status).toBe(403)
    const cleo = await app.as('cleo', ['admin'])
    await createRun({ by: ben })
    expect((await showUsage(cleo, { scope: 'platform', groupBy: 'user' })).rows).toMatchObject([
      { key: ben.id, label: expect.stringContaining('Ben') },
    ])
  })

  it('analysts see people’s usage without names', async () => {
    const dot = await app.as('dot', ['analyst'])
    await createRun({ by: ben })
    const { data, text } = await dot.call(usageCalls.show, { query: { scope: 'platform', groupBy: 'user' } })
    expect(data.rows).toMatchObject([{ key: ben.id, label: `Person ${ben.id.slice(-6)}`, runs: 1 }])
    expect(text).not.toContain('Ben')
  })

  it('labels own agents by current name, others by their name at the time', async () => {
    await createRun({})
    await createRun({ by: ben })
    const rename = (name: string) =>
      app.services.db.updateTable('agents').set({ name }).where('id', '=', shop.id).execute()
    await rename('Secret shop')
    const listLabels = async (actor: Actor) =>
      (await showUsage(actor, { groupBy: 'agent' })).rows.map((row) => row.label)
    const labels = [await listLabels(ada), await listLabels(ben)]
    await rename('=Shop')
    expect(labels).toEqual([['Secret shop'], ['Shop']])
  })

  it('keeps the usage of a deleted agent', async () => {
    const deletedAgent = await createTestAgent(ada)
    await createRun({})
    await app.services.db.updateTable('model_calls').set({ agent_id: deletedAgent.id }).execute()
    await ada.call(agents.remove, { body: { id: deletedAgent.id } })
    const { rows, total } = await showUsage(ada, { groupBy: 'agent' })
    expect(rows.find((row) => row.key === deletedAgent.id)).toMatchObject({ label: 'Deleted agent', cost_usd: 0.0003 })
    expect(total.cost_usd).toBe(0.0003)
  })

  it.each([
    [{ from: '2026-02-30' }, 'from'],
    [{ to: 'yesterday' }, 'to'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'from'],
    [{ from: '2024-01-01', to: '2026-03-01' }, 'from'],
    [{ groupBy: 'shoe' }, 'groupBy'],
    [{ scope: 'all' }, 'scope'],
  ])('%o answers 400 and names %s', async (query, field) => {
    const answer = await ada.call(usageCalls.show, { query: query as never })
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.body.fields ?? {})).toEqual([field])
  })

  it('exports CSV with a total and without executable cells', async () => {
    await createRun({})
    const answer = await ada.fetch('/api/kip/usage/export?groupBy=agent')
    expect(answer.headers.get('content-type')).toContain('text/csv')
    expect(answer.headers.get('content-disposition')).toMatch(/attachment; filename="keeper-usage-agent-/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const lines = (await answer.text()).split('\r\n')
    expect(lines[0]).toMatch(/^agent,label,runs,errors,mock_runs,p50_ms/)
    expect(lines[1]).toContain(`${shop.id},'=Shop,1,0,0,100,100,10,20,false,0.0003`)
    expect(lines[2]).toMatch(/^total,,1,0,0/)
    expect(lines[3]).toBe('')
  })

  it('an agent’s stats include only runs visible to the viewer', async () => {
    await createRun({ by: ben, ms: 40 })
    await createRun({ by: null, ms: 80, status: 'error' })
    const fetchStats = async (actor: Actor) => (await actor.call(agents.stats, { query: { agentId: shop.id } })).data
    expect(await fetchStats(ada)).toMatchObject({
      runs: 2,
      errors: 1,
      p50_ms: 40,
      p95_ms: 80,
      input_tokens: 20,
      cost_usd: 0.0006,
    })
    expect((await fetchStats(ben)).runs).toBe(1)
    expect((await fetchStats(ada)).last_run_at).toMatch(/^\d{4}-/)
    expect((await fetchStats(await app.as('cleo'))).last_run_at).toBeNull()
  })
})

it('durations are sorted, whatever type the engine returns', () => {
  expect([...sortDurations('[30,9,100]')]).toEqual([9, 30, 100])
  expect([...sortDurations([30, 9, 100])]).toEqual([9, 30, 100])
  expect([...sortDurations(null)]).toEqual([])
})

it('a percentile is the nearest rank over several lists', () => {
  let seed = 7
  const getNextNumber = (max: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % max
  }
  for (let round = 0; round < 200; round++) {
    const lists = Array.from({ length: 1 + getNextNumber(5) }, () =>
      sortDurations(Array.from({ length: getNextNumber(12) }, () => getNextNumber(40))),
    )
    const all = lists.flatMap((list) => [...list]).sort((a, b) => a - b)
    for (const share of [0.01, 0.5, 0.95, 1])
      expect(calculatePercentile(lists, share)).toBe(all[Math.max(0, Math.ceil(all.length * share) - 1)] ?? null)
  }
})

const now = () => new Date('2026-11-21T04:05:06Z')

async function createEmptyDatabase(engine: Engine): Promise<{ db: Database; close(): Promise<void> }> {
  if (engine === 'postgres') {
    const fresh = await createFreshDatabase(engine)
    await fresh.db.write(sql`drop schema public cascade`)
    await fresh.db.write(sql`create schema public`)
    return fresh
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-data-'))
  const db = await openDatabase({ dataDir })
  return {
    db,
    async close() {
      await db.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

it.each(engines)('the migration creates ledger rows for older runs on %s', async (engine) => {
  const { db, close } = await createEmptyDatabase(engine)
  try {
    const options = { dataDir: '', now, backup: false }
    await migrate(db, migrations.slice(0, 2), options)
    await db.write(sql`insert into people (id, email, email_folded, password_hash, created_at)
      values ('ada', 'a@b.example', 'a@b.example', 'x', 1)`)
    await db.write(sql`insert into agents (id, owner_id, slug, name, purpose, agent_class, context_scope, memory_enabled,
      tools, permissions, config, status, model_provider, model_settings, visibility, created_at, updated_at)
      values ('kip', 'ada', 'kip', 'Kip', 'p', 'Lead', '', ${false}, ${json([])}, ${json([])}, ${json({})}, 'ready',
        'openai', ${json({})}, 'public', 1, 1)`)
    for (const [id, status, source, person] of [
      ['own', 'success', 'personal', 'ada'],
      ['theirs', 'error', 'platform', null],
      ['mock', 'success', 'mock', 'ada'],
      ['running', 'running', 'platform', 'ada'],
    ] as const) {
      await db.write(sql`insert into runs (id, agent_id, agent_name, agent_slug, agent_class, agent_owner_id, agent_rev,
        person_id, input, response, status, error_code, model_provider, model, model_settings, key_source, mock_mode,
        attempts, input_tokens, output_tokens, cost_micros, usage_estimated, notes, created_at, execution_time_ms,
        lease_until, stop_requested)
        values (${id}, 'kip', 'Kip', 'kip', 'Lead', 'ada', 1, ${person}, 'q', 'a', ${status},
          ${status === 'error' ? 'provider-busy' : null}, 'openai', 'gpt-4o', ${json({})}, ${source}, ${source === 'mock'},
          1, 17, 23, 273, ${false}, ${json([])}, 5, ${status === 'error' ? null : 40}, 0, ${false})`)
    }
    await migrate(db, migrations, options)
    const rows = await db.selectFrom('model_calls').selectAll().orderBy('run_id').execute()
    expect(rows.map((row) => [row.run_id, row.payer, row.person_id, row.failure, row.duration_ms])).toEqual([
      ['mock', null, 'ada', null, 40],
      ['own', 'ada', 'ada', null, 40],
      ['theirs', 'platform', null, 'provider-busy', 0],
    ])
    expect(rows[1]).toMatchObject({ agent_owner_id: 'ada', input_tokens: 17, output_tokens: 23, cost_micros: 273 })
  } finally {
    await close()
  }
})
