import { sql } from 'kysely'
import type { UsageGroup, UsageMetrics, UsageRow } from '#contract/agents/usage.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'
import { sortDurations } from './run-durations.ts'
import { callsWithoutAgent, createPersonLabeler, fetchAgentLabels } from './usage-labels.ts'
import { toUsageMetrics } from './usage-metrics.ts'
import {
  type CountRow,
  type SqlExpression,
  selectCallCounts,
  selectCallSpend,
  selectRunCounts,
} from './usage-queries.ts'
import { type DayRange, formatDay, parseRange } from './usage-range.ts'

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
