import { type RawBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { agentStats } from '#contract/agents/agents.ts'
import { type UsageGroup, type UsageMetrics, type usageCalls, usageMetrics } from '#contract/agents/usage.ts'
import { compareStrings } from '#contract/compare-strings.ts'
import { type CsvValue, formatCsvHeader, formatCsvLine } from '#contract/csv-line.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Engine } from '#server/db/database.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toDollars } from '#server/values/dollars.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { dayMs } from '#server/values/time-units.ts'
import { trialAgentId } from '../agent-view.ts'
import { calculatePercentile, type Durations, sortDurations } from './run-durations.ts'

const labelBatchSize = 500

const callsWithoutAgent: Record<string, string> = {
  embeddings: 'Embedding memory cards',
  transcription: 'Transcribing voice entries',
  [trialAgentId]: 'Trying agents before saving',
}

const maxRangeDays = 366
const defaultRangeDays = 30

/** Whole UTC days since 1970; `to` is inclusive. */
interface DayRange {
  from: number
  to: number
}

/** Defaults to the 30 days up to today. @throws Problem `bad-input` naming the date */
function parseRange(params: { from?: string | undefined; to?: string | undefined }, now: Date): DayRange {
  const to = params.to ? parseDay('to', params.to) : Math.floor(now.getTime() / dayMs)
  const from = params.from ? parseDay('from', params.from) : to - defaultRangeDays + 1
  if (from > to) throw badField('from', 'Use a date on or before the one in "to".')
  if (to - from >= maxRangeDays) throw badField('from', `Choose a range of at most ${maxRangeDays} days.`)
  return { from, to }
}

function formatDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

const datePattern = /^(\d{4}-\d{2}-\d{2})(T.*)?$/

function parseDay(field: 'from' | 'to', text: string): number {
  const day = datePattern.exec(text)?.[1]
  const time = day ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  // Date.parse turns February 31 into a day in March.
  if (Number.isNaN(time) || formatDay(time / dayMs) !== day) throw badField(field, 'Use a date like 2026-11-20.')
  return time / dayMs
}

type UsageParams = z.output<typeof usageCalls.show.query & {}>
type UsageReport = EndpointOutput<typeof usageCalls.show>
type NamedCountRow = CountRow & { name?: string }

const dayExpression = sql`created_at / ${sql.lit(dayMs)}`
const runAgentExpression = sql`case when origin = 'trial' then ${sql.lit(trialAgentId)} else agent_id end`
const groupExpressions: Record<UsageGroup, SqlExpression> = {
  day: dayExpression,
  agent: sql`agent_id`,
  provider: sql`provider`,
  model: sql`provider || '/' || model`,
  user: sql`coalesce(person_id, 'visitors')`,
}

/** @throws Problem `permission-missing` for the platform without `view_analytics`; `bad-input` for invalid dates */
export async function showUsage(services: Services, person: Person, params: UsageParams): Promise<UsageReport> {
  if (params.scope === 'platform' && !person.permissions.has('view_analytics')) {
    throw new Problem('permission-missing', {
      message: 'You need the permission "view_analytics" for this. Ask a super-admin for a role that has it.',
    })
  }
  const range = parseRange(params, services.now())
  const where = buildCondition(person, params.scope, range)
  const groupExpression = groupExpressions[params.groupBy]
  const { db } = services
  const selectCounts = ['provider', 'model'].includes(params.groupBy) ? selectCallCounts : selectRunCounts
  const countExpression = params.groupBy === 'agent' ? runAgentExpression : groupExpression
  const [countRows, spendRows] = await Promise.all([
    db.longRead<NamedCountRow>(selectCounts(db.engine, countExpression, where)),
    db.longRead(selectCallSpend(groupExpression, where)),
  ])
  const countsByKey = new Map(countRows.map((row) => [String(row.key), { ...row, times: sortDurations(row.times) }]))
  const spendByKey = new Map(spendRows.map((row) => [String(row.key), row]))
  const visibleKeys =
    params.groupBy === 'day'
      ? Array.from({ length: range.to - range.from + 1 }, (_, index) => String(range.from + index))
      : [...new Set([...countsByKey.keys(), ...spendByKey.keys()])]
  const getLabel = await createLabeler(services, person, params, { keys: visibleKeys, countsByKey })
  const toRowList = <Row>(row: Row | undefined) => (row ? [row] : [])
  const rows = visibleKeys.map((rowKey) => ({
    key: params.groupBy === 'day' ? formatDay(Number(rowKey)) : rowKey,
    label: getLabel(rowKey),
    ...toUsageMetrics(toRowList(countsByKey.get(rowKey)), toRowList(spendByKey.get(rowKey))),
  }))
  if (params.groupBy !== 'day')
    rows.sort((a, b) => b.cost_usd - a.cost_usd || b.runs - a.runs || compareStrings(a.label, b.label))
  return {
    from: formatDay(range.from),
    to: formatDay(range.to),
    rows,
    total: toUsageMetrics([...countsByKey.values()], spendRows),
  }
}

function buildCondition(person: Person, scope: UsageParams['scope'], { from, to }: DayRange): SqlExpression {
  const dateCondition = sql`created_at >= ${from * dayMs} and created_at < ${(to + 1) * dayMs}`
  if (scope === 'mine') return sql`person_id = ${person.id} and ${dateCondition}`
  if (scope === 'agents') return sql`agent_owner_id = ${person.id} and ${dateCondition}`
  return dateCondition
}

async function createLabeler(
  { db }: Services,
  person: Person,
  { groupBy, scope }: UsageParams,
  { keys, countsByKey }: { keys: string[]; countsByKey: Map<string, { name?: string }> },
): Promise<(key: string) => string> {
  if (groupBy === 'day') return (key) => formatDay(Number(key))
  if (groupBy === 'user') {
    const { permissions } = person
    const canSeeNames = scope !== 'platform' || permissions.has('manage_users') || permissions.has('view_logs')
    const names = await fetchNames(canSeeNames ? keys : keys.filter((id) => id === person.id), (ids) =>
      db.selectFrom('people').select(['id', 'name']).where('id', 'in', ids).execute(),
    )
    return (id) => (id === 'visitors' ? 'Visitors' : (names.get(id) ?? `Person ${id.slice(-6)}`))
  }
  if (groupBy === 'agent') {
    // Other people's agents keep the name they ran under, because their current name may be private.
    const ownNames = await fetchNames(keys, (ids) =>
      db.selectFrom('agents').select(['id', 'name']).where('id', 'in', ids).where('owner_id', '=', person.id).execute(),
    )
    return (id) => callsWithoutAgent[id] ?? ownNames.get(id) ?? countsByKey.get(id)?.name ?? 'Deleted agent'
  }
  return (key) => key
}

async function fetchNames(
  ids: string[],
  fetchBatch: (ids: string[]) => Promise<{ id: string; name: string | null }[]>,
): Promise<Map<string, string | null>> {
  const names = new Map<string, string | null>()
  for (let start = 0; start < ids.length; start += labelBatchSize)
    for (const { id, name } of await fetchBatch(ids.slice(start, start + labelBatchSize))) names.set(id, name)
  return names
}

type SortedCountRow = Omit<CountRow, 'times'> & { times: Durations }

function toUsageMetrics(countRows: readonly SortedCountRow[], spendRows: readonly SpendRow[]): UsageMetrics {
  const times = countRows.map((row) => row.times)
  return {
    runs: sumBy(countRows, (row) => row.runs),
    errors: sumBy(countRows, (row) => row.errors),
    mock_runs: sumBy(countRows, (row) => row.mock_runs),
    p50_ms: calculatePercentile(times, 0.5),
    p95_ms: calculatePercentile(times, 0.95),
    input_tokens: sumBy(spendRows, (row) => row.input_tokens),
    output_tokens: sumBy(spendRows, (row) => row.output_tokens),
    estimated: spendRows.some((row) => row.estimated > 0),
    cost_usd: toDollars(sumBy(spendRows, (row) => row.cost_micros)),
    unpriced_runs: sumBy(countRows, (row) => row.unpriced_runs),
    personal_usd: toDollars(sumBy(spendRows, (row) => row.personal_micros)),
    platform_usd: toDollars(sumBy(spendRows, (row) => row.platform_micros)),
  }
}

function sumBy<Row>(rows: readonly Row[], pick: (row: Row) => number): number {
  return rows.reduce((total, row) => total + pick(row), 0)
}

type SqlExpression = RawBuilder<unknown>

interface CountRow {
  key: string | number | null
  runs: number
  errors: number
  mock_runs: number
  unpriced_runs: number
  /** Unsorted milliseconds as a JSON array: text, or parsed by the driver. */
  times: string | number[] | null
}

interface SpendRow {
  key: string | number | null
  input_tokens: number
  output_tokens: number
  estimated: number
  cost_micros: number
  personal_micros: number
  platform_micros: number
}

/** Counts finished runs by key with their durations. Computing percentiles in SQL takes four times as long. */
function selectRunCounts(
  engine: Engine,
  key: SqlExpression,
  where: SqlExpression,
): RawBuilder<CountRow & { name: string; last_run_at: number }> {
  return sql`
    select ${key} as key, max(agent_name) as name, max(created_at) as last_run_at, count(*) as runs,
      sum(case when status in ('error', 'interrupted') then 1 else 0 end) as errors,
      sum(case when mock_mode then 1 else 0 end) as mock_runs,
      sum(case when cost_micros is null then 1 else 0 end) as unpriced_runs,
      ${aggregateArray(engine, sql`execution_time_ms`)} as times
    from runs where status <> 'running' and ${where} group by 1`
}

function selectCallCounts(engine: Engine, key: SqlExpression, where: SqlExpression): RawBuilder<CountRow> {
  return sql`
    select ${key} as key, count(*) as runs,
      sum(case when failure is null or failure = 'stopped' then 0 else 1 end) as errors,
      sum(case when key_source = 'mock' then 1 else 0 end) as mock_runs,
      sum(case when cost_micros is null then 1 else 0 end) as unpriced_runs,
      ${aggregateArray(engine, sql`duration_ms`)} as times
    from model_calls where ${where} group by 1`
}

function selectCallSpend(key: SqlExpression, where: SqlExpression): RawBuilder<SpendRow> {
  const sumCost = (source: string) =>
    sql`sum(case when key_source = ${source} then coalesce(cost_micros, 0) else 0 end)`
  return sql`
    select ${key} as key, sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
      max(case when estimated then 1 else 0 end) as estimated,
      sum(coalesce(cost_micros, 0)) as cost_micros,
      ${sumCost('personal')} as personal_micros, ${sumCost('platform')} as platform_micros
    from model_calls where ${where} group by 1`
}

function aggregateArray(engine: Engine, value: SqlExpression): SqlExpression {
  const aggregate = sql.raw(engine === 'postgres' ? 'json_agg' : 'json_group_array')
  return sql`${aggregate}(${value}) filter (where ${value} is not null)`
}

export async function getStats(
  services: Services,
  person: Person,
  agentId: string | null,
): Promise<z.output<typeof agentStats>> {
  const visibleRuns = sql`(person_id = ${person.id} or agent_owner_id = ${person.id})`
  const where = agentId ? sql`agent_id = ${agentId} and ${visibleRuns}` : visibleRuns
  const runsWhere = agentId ? sql`${where} and origin <> 'trial'` : where
  const allKey = sql`'all'`
  const { db } = services
  const [countRows, spendRows] = await Promise.all([
    db.longRead(selectRunCounts(db.engine, allKey, runsWhere)),
    db.longRead(selectCallSpend(allKey, where)),
  ])
  const counts = countRows.map((row) => ({ ...row, times: sortDurations(row.times) }))
  const metrics = toUsageMetrics(counts, spendRows)
  const { estimated: _, unpriced_runs: _unpriced, personal_usd: _personal, platform_usd: _platform, ...stats } = metrics
  const lastRunAt = countRows[0]?.last_run_at
  return { ...stats, last_run_at: lastRunAt === undefined ? null : toIsoTime(lastRunAt) }
}

const metricColumns = Object.keys(usageMetrics.shape) as (keyof UsageMetrics)[]

export async function exportUsage(services: Services, person: Person, params: UsageParams): Promise<Response> {
  const { from, to, rows, total } = await showUsage(services, person, params)
  const header = formatCsvHeader([params.groupBy, 'label', ...metricColumns])
  const lines: CsvValue[][] = [
    ...rows.map((row) => [row.key, row.label, ...metricColumns.map((name) => row[name])]),
    ['total', '', ...metricColumns.map((name) => total[name])],
  ]
  return new Response(header + lines.map(formatCsvLine).join(''), {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="keeper-usage-${params.groupBy}-${from}-${to}.csv"`,
      'cache-control': 'no-store',
    },
  })
}
