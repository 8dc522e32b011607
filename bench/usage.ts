import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { usageGroups } from '#contract/agents/usage.ts'
import type { Person } from '#server/accounts/person.ts'
import { showUsage } from '#server/agents/usage/show-usage.ts'
import { openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import type { Services } from '#server/services.ts'
import { median, percentile, report } from './measure.ts'

// Usage of 100,000 runs in 30 days takes at most 300 ms and blocks the event loop for at most 50 ms. Baseline: one scan.

const runCount = 100_000
const rounds = 5
const limits = { medianMs: 300, delayMs: 50 }

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const db = await openDatabase({ dataDir })
const now = () => new Date('2026-11-20T12:00:00Z')
await migrate(db, migrations, { dataDir, now })
const services = { db, now } as unknown as Services
const person = { id: 'person-0', permissions: new Set(['view_analytics', 'manage_users']) } as unknown as Person

const thirtyDaysMs = 30 * 24 * 60 * 60 * 1000
const numbers = sql`with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${runCount})`
const createdAt = sql`${now().getTime()} - (i * 7919) % ${thirtyDaysMs}`
await db.write(sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < 199)
  insert into people (id, email, email_folded, name, password_hash, created_at)
  select 'person-' || i, 'p' || i || '@keeper.example', 'p' || i || '@keeper.example', 'Person ' || i, 'x', 0 from n`)
await db.write(sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < 49)
  insert into agents (id, owner_id, slug, name, purpose, agent_class, context_scope, memory_enabled, tools, permissions,
    config, status, model_provider, model_settings, visibility, created_at, updated_at)
  select 'agent-' || i, 'person-0', 'agent-' || i, 'Agent ' || i, 'p', 'Standard', '', 0, '[]', '[]', '{}', 'ready',
    'openai', '{}', 'private', 0, 0 from n`)
await db.write(sql`${numbers}
  insert into runs (id, agent_id, agent_name, agent_slug, agent_class, agent_owner_id, agent_rev, person_id, input,
    response, status, model_provider, model, model_settings, key_source, mock_mode, attempts, input_tokens,
    output_tokens, cost_micros, usage_estimated, notes, created_at, execution_time_ms, lease_until, stop_requested)
  select lower(hex(randomblob(16))), 'agent-' || (i % 50), 'Agent ' || (i % 50), 'agent-' || (i % 50), 'Standard',
    'person-0', 1, 'person-' || (i % 200), ${'question '.repeat(20)}, ${'answer '.repeat(150)},
    case when i % 20 = 0 then 'error' else 'success' end, 'openai', 'gpt-4o', '{}', 'platform', 0, 1, 500, 300, 4250, 0,
    '[]', ${createdAt}, (i * 31) % 20000, 0, 0 from n`)
await db.write(sql`${numbers}
  insert into model_calls (id, run_id, agent_id, agent_owner_id, person_id, provider, model, key_source, payer,
    input_tokens, output_tokens, cost_micros, estimated, duration_ms, created_at)
  select lower(hex(randomblob(16))), 'run-' || i, 'agent-' || (i % 50), 'person-0', 'person-' || (i % 200),
    case when i % 3 = 0 then 'anthropic' else 'openai' end, 'model-' || (i % 5), 'platform', 'platform', 500, 300, 4250,
    0, (i * 31) % 20000, ${createdAt} from n`)

const measureMs = async (work: () => Promise<unknown>) => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
const scan = () =>
  Promise.all([
    db.longRead(sql`select sum(execution_time_ms), max(status) from runs where created_at > 0`),
    db.longRead(sql`select sum(cost_micros) from model_calls where created_at > 0`),
  ])
const readUsage = (groupBy: (typeof usageGroups)[number]) =>
  showUsage(services, person, { groupBy, scope: 'platform' }).then(({ total }) => {
    if (total.runs !== runCount || Math.round(total.cost_usd * 100) !== 42_500)
      throw new Error(`${groupBy} counted ${total.runs} runs for $${total.cost_usd}`)
  })

for (const groupBy of usageGroups) await readUsage(groupBy)
const baselineTimesMs: number[] = []
const usageTimesMs: number[] = []
const delaysMs: number[] = []
for (let round = 0; round < rounds; round++) {
  baselineTimesMs.push(await measureMs(scan))
  let [lastTick, maxDelayMs] = [performance.now(), 0]
  const delayTimer = setInterval(() => {
    maxDelayMs = Math.max(maxDelayMs, performance.now() - lastTick)
    lastTick = performance.now()
  }, 1)
  for (const groupBy of usageGroups) usageTimesMs.push(await measureMs(() => readUsage(groupBy)))
  clearInterval(delayTimer)
  delaysMs.push(maxDelayMs)
}
await db.close()
rmSync(dataDir, { recursive: true })

const medianMs = median(usageTimesMs)
report(
  `usage over ${runCount.toLocaleString('en-US')} runs`,
  `${medianMs.toFixed(0)} ms (slowest ${percentile(usageTimesMs, 1).toFixed(0)} ms), ${(medianMs / median(baselineTimesMs)).toFixed(1)} times a plain scan's ${median(baselineTimesMs).toFixed(0)} ms`,
  `${limits.medianMs} ms`,
  medianMs <= limits.medianMs,
)
const medianDelayMs = median(delaysMs)
report(
  'longest event-loop delay, in the median round',
  `${medianDelayMs.toFixed(0)} ms`,
  `${limits.delayMs} ms`,
  medianDelayMs <= limits.delayMs,
)
