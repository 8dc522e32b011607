import { sql } from 'kysely'
import type { UsageFigures, UsageGroup, UsageRow } from '#contract/agents/usage.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { agentLabels, personLabels } from './usage-labels.ts'
import { type Condition, type SpentRow, spentByCalls, type TimedRow, timedCalls, timedRuns } from './usage-queries.ts'
import { type DayRange, dayMs, dayName, rangeOf } from './usage-range.ts'

export interface UsageAsked {
  from?: string | undefined
  to?: string | undefined
  groupBy: UsageGroup
  scope: 'mine' | 'agents' | 'platform'
}

export interface Usage {
  from: string
  to: string
  rows: UsageRow[]
  total: UsageFigures
}

const day = sql`created_at / ${sql.lit(dayMs)}`
const keys: Record<UsageGroup, Condition> = {
  day,
  agent: sql`agent_id`,
  provider: sql`provider`,
  model: sql`provider || '/' || model`,
  user: sql`coalesce(person_id, 'visitors')`,
}

/**
 * Counts and times come from the runs, or for providers and models from the requests; tokens and money always from
 * the ledger, which outlives runs and agents.
 * @throws Problem `permission-missing` for the platform without `view_analytics`; `bad-input` for dates that cannot be used
 */
export async function showUsage(services: Services, person: Person, asked: UsageAsked): Promise<Usage> {
  if (asked.scope === 'platform' && !person.permissions.has('view_analytics')) {
    throw new Problem('permission-missing', {
      message: 'This needs the permission "view_analytics". Ask a super-admin for a role that has it.',
    })
  }
  const range = rangeOf(asked, services.now())
  const where = conditionOf(person, asked.scope, range)
  const ofCalls = asked.groupBy === 'provider' || asked.groupBy === 'model'
  const timed = ofCalls ? timedCalls : timedRuns
  const key = keys[asked.groupBy]
  const { db } = services
  const [counts, all, spent] = await Promise.all([
    db.longRead(timed(key, where)),
    db.longRead(timed(sql`'all'`, where)),
    db.longRead(spentByCalls(key, where)),
  ])
  const byKey = new Map(counts.map((row) => [String(row.key), row as TimedRow & { name?: string }]))
  const spentByKey = new Map(spent.map((row) => [String(row.key), row]))
  const found = [...new Set([...byKey.keys(), ...spentByKey.keys()])]
  const everyDay = Array.from({ length: range.to - range.from + 1 }, (_, index) => String(range.from + index))
  const keysShown = asked.groupBy === 'day' ? everyDay : found
  const labelOf = await labels(services, person, asked, { keys: keysShown, counts: byKey })
  const rows = keysShown.map((each) => ({
    key: asked.groupBy === 'day' ? dayName(Number(each)) : each,
    label: labelOf(each),
    ...figures(byKey.get(each), spentByKey.get(each)),
  }))
  if (asked.groupBy !== 'day')
    rows.sort((a, b) => b.cost_usd - a.cost_usd || b.runs - a.runs || (a.label < b.label ? -1 : 1))
  return {
    from: dayName(range.from),
    to: dayName(range.to),
    rows,
    total: figures(all[0], sumOf(spent)),
  }
}

function conditionOf(person: Person, scope: UsageAsked['scope'], { from, to }: DayRange): Condition {
  const within = sql`created_at >= ${from * dayMs} and created_at < ${(to + 1) * dayMs}`
  if (scope === 'mine') return sql`person_id = ${person.id} and ${within}`
  if (scope === 'agents') return sql`agent_owner_id = ${person.id} and ${within}`
  return within
}

async function labels(
  services: Services,
  person: Person,
  { groupBy, scope }: UsageAsked,
  { keys: shown, counts }: { keys: string[]; counts: Map<string, { name?: string }> },
): Promise<(key: string) => string> {
  if (groupBy === 'day') return (key) => dayName(Number(key))
  if (groupBy === 'user') return personLabels(services, person, scope, shown)
  if (groupBy === 'agent') {
    const own = await agentLabels(services, person, shown)
    return (key) => own.get(key) ?? counts.get(key)?.name ?? 'Deleted agent'
  }
  return (key) => key
}

function figures(timed: TimedRow | undefined, spent: SpentRow | undefined): UsageFigures {
  return {
    runs: Number(timed?.runs ?? 0),
    errors: Number(timed?.errors ?? 0),
    mock_runs: Number(timed?.mock_runs ?? 0),
    p50_ms: timed?.p50_ms ?? null,
    p95_ms: timed?.p95_ms ?? null,
    input_tokens: spent?.input_tokens ?? 0,
    output_tokens: spent?.output_tokens ?? 0,
    estimated: (spent?.estimated ?? 0) > 0,
    cost_usd: (spent?.cost_micros ?? 0) / 1_000_000,
    unpriced_runs: Number(timed?.unpriced_runs ?? 0),
    personal_usd: (spent?.personal_micros ?? 0) / 1_000_000,
    platform_usd: (spent?.platform_micros ?? 0) / 1_000_000,
  }
}

function sumOf(rows: readonly SpentRow[]): SpentRow {
  const sum = (pick: (row: SpentRow) => number) => rows.reduce((total, row) => total + pick(row), 0)
  return {
    key: 'all',
    input_tokens: sum((row) => row.input_tokens),
    output_tokens: sum((row) => row.output_tokens),
    estimated: sum((row) => row.estimated),
    cost_micros: sum((row) => row.cost_micros),
    personal_micros: sum((row) => row.personal_micros),
    platform_micros: sum((row) => row.platform_micros),
  }
}
