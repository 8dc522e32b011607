import { sql } from 'kysely'
import type { UsageGroup, UsageMetrics, UsageRow } from '#contract/agents/usage.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { sortDurations } from './run-durations.ts'
import { toUsageMetrics } from './usage-metrics.ts'
import {
  type CountRow,
  type SqlExpression,
  selectCallCounts,
  selectCallSpend,
  selectRunCounts,
} from './usage-queries.ts'

const labelBatchSize = 500

const callsWithoutAgent: Record<string, string> = {
  embeddings: 'Embedding memory cards',
  transcription: 'Transcribing voice entries',
}

/** Current names of the person's own agents. Other agents keep the name they ran under, because their current name may be private. */
async function fetchAgentLabels(services: Services, person: Person, ids: string[]): Promise<Map<string, string>> {
  const labels = new Map<string, string>()
  for (const batch of splitIntoBatches(ids)) {
    const rows = await services.db
      .selectFrom('agents')
      .select(['id', 'name'])
      .where('id', 'in', batch)
      .where('owner_id', '=', person.id)
      .execute()
    for (const { id, name } of rows) labels.set(id, name)
  }
  return labels
}

async function createPersonLabeler(
  services: Services,
  person: Person,
  scope: 'mine' | 'agents' | 'platform',
  ids: string[],
): Promise<(id: string) => string> {
  const canSeeNames =
    scope !== 'platform' || person.permissions.has('manage_users') || person.permissions.has('view_logs')
  const names = new Map<string, string | null>()
  for (const batch of splitIntoBatches(canSeeNames ? ids : ids.filter((id) => id === person.id))) {
    const rows = await services.db.selectFrom('people').select(['id', 'name']).where('id', 'in', batch).execute()
    for (const { id, name } of rows) names.set(id, name)
  }
  return (id) => (id === 'visitors' ? 'Visitors' : (names.get(id) ?? `Person ${id.slice(-6)}`))
}

function splitIntoBatches(ids: string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / labelBatchSize) }, (_, index) =>
    ids.slice(index * labelBatchSize, (index + 1) * labelBatchSize),
  )
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

function parseDay(field: 'from' | 'to', text: string): number {
  const day = /^(\d{4}-\d{2}-\d{2})(T.*)?$/.exec(text)?.[1]
  const time = day ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  // Date.parse turns February 31 into a day in March.
  if (Number.isNaN(time) || formatDay(time / dayMs) !== day) throw badField(field, 'Use a date like 2026-11-20.')
  return time / dayMs
}

export interface UsageParams {
  from?: string | undefined
  to?: string | undefined
  groupBy: UsageGroup
  scope: 'mine' | 'agents' | 'platform'
}

export interface UsageReport {
  from: string
  to: string
  rows: UsageRow[]
  total: UsageMetrics
}

type NamedCountRow = CountRow & { name?: string }

const dayExpression = sql`created_at / ${sql.lit(dayMs)}`
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
  const isByCall = params.groupBy === 'provider' || params.groupBy === 'model'
  const [countRows, spentRows] = await Promise.all([
    isByCall
      ? db.longRead<NamedCountRow>(selectCallCounts(db.engine, groupExpression, where))
      : db.longRead<NamedCountRow>(selectRunCounts(db.engine, groupExpression, where)),
    db.longRead(selectCallSpend(groupExpression, where)),
  ])
  const countsByKey = new Map(countRows.map((row) => [String(row.key), { ...row, times: sortDurations(row.times) }]))
  const spentByKey = new Map(spentRows.map((row) => [String(row.key), row]))
  const visibleKeys =
    params.groupBy === 'day'
      ? Array.from({ length: range.to - range.from + 1 }, (_, index) => String(range.from + index))
      : [...new Set([...countsByKey.keys(), ...spentByKey.keys()])]
  const getLabel = await createLabeler(services, person, params, { keys: visibleKeys, countsByKey })
  const toList = <Row>(row: Row | undefined) => (row ? [row] : [])
  const rows = visibleKeys.map((rowKey) => ({
    key: params.groupBy === 'day' ? formatDay(Number(rowKey)) : rowKey,
    label: getLabel(rowKey),
    ...toUsageMetrics(toList(countsByKey.get(rowKey)), toList(spentByKey.get(rowKey))),
  }))
  if (params.groupBy !== 'day')
    rows.sort((a, b) => b.cost_usd - a.cost_usd || b.runs - a.runs || (a.label < b.label ? -1 : 1))
  return {
    from: formatDay(range.from),
    to: formatDay(range.to),
    rows,
    total: toUsageMetrics([...countsByKey.values()], spentRows),
  }
}

function buildCondition(person: Person, scope: UsageParams['scope'], { from, to }: DayRange): SqlExpression {
  const dateCondition = sql`created_at >= ${from * dayMs} and created_at < ${(to + 1) * dayMs}`
  if (scope === 'mine') return sql`person_id = ${person.id} and ${dateCondition}`
  if (scope === 'agents') return sql`agent_owner_id = ${person.id} and ${dateCondition}`
  return dateCondition
}

async function createLabeler(
  services: Services,
  person: Person,
  { groupBy, scope }: UsageParams,
  { keys: visibleKeys, countsByKey }: { keys: string[]; countsByKey: Map<string, { name?: string }> },
): Promise<(key: string) => string> {
  if (groupBy === 'day') return (key) => formatDay(Number(key))
  if (groupBy === 'user') return createPersonLabeler(services, person, scope, visibleKeys)
  if (groupBy === 'agent') {
    const ownLabels = await fetchAgentLabels(services, person, visibleKeys)
    return (key) => ownLabels.get(key) ?? countsByKey.get(key)?.name ?? callsWithoutAgent[key] ?? 'Deleted agent'
  }
  return (key) => key
}
