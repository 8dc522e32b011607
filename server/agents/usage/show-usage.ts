import { sql } from 'kysely'
import type { UsageFigures, UsageGroup, UsageRow } from '#contract/agents/usage.ts'
import type { Person } from '#server/accounts/person.ts'
import { dayMs } from '#server/hours-and-days.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { sortedDurations } from './run-durations.ts'
import { figuresOf } from './usage-figures.ts'
import { agentLabels, callsWithoutAgent, personLabels } from './usage-labels.ts'
import { type Condition, type CountedRow, countedCalls, countedRuns, spentByCalls } from './usage-queries.ts'
import { type DayRange, dayName, rangeOf } from './usage-range.ts'

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

type Counted = CountedRow & { name?: string }

const day = sql`created_at / ${sql.lit(dayMs)}`
const keys: Record<UsageGroup, Condition> = {
  day,
  agent: sql`agent_id`,
  provider: sql`provider`,
  model: sql`provider || '/' || model`,
  user: sql`coalesce(person_id, 'visitors')`,
}

/**
 * Counts and durations come from runs (or requests, for providers and models), tokens and cost from the ledger,
 * which outlives runs and agents.
 * @throws Problem `permission-missing` for the platform without `view_analytics`; `bad-input` for invalid dates
 */
export async function showUsage(services: Services, person: Person, asked: UsageAsked): Promise<Usage> {
  if (asked.scope === 'platform' && !person.permissions.has('view_analytics')) {
    throw new Problem('permission-missing', {
      message: 'This needs the permission "view_analytics". Ask a super-admin for a role that has it.',
    })
  }
  const range = rangeOf(asked, services.now())
  const where = conditionOf(person, asked.scope, range)
  const key = keys[asked.groupBy]
  const { db } = services
  const ofCalls = asked.groupBy === 'provider' || asked.groupBy === 'model'
  const [counted, spent] = await Promise.all([
    ofCalls
      ? db.longRead<Counted>(countedCalls(db.engine, key, where))
      : db.longRead<Counted>(countedRuns(db.engine, key, where)),
    db.longRead(spentByCalls(key, where)),
  ])
  const countedByKey = new Map(counted.map((row) => [String(row.key), { ...row, times: sortedDurations(row.times) }]))
  const spentByKey = new Map(spent.map((row) => [String(row.key), row]))
  const keysShown =
    asked.groupBy === 'day'
      ? Array.from({ length: range.to - range.from + 1 }, (_, index) => String(range.from + index))
      : [...new Set([...countedByKey.keys(), ...spentByKey.keys()])]
  const labelOf = await labels(services, person, asked, { keys: keysShown, counted: countedByKey })
  const only = <Row>(row: Row | undefined) => (row ? [row] : [])
  const rows = keysShown.map((each) => ({
    key: asked.groupBy === 'day' ? dayName(Number(each)) : each,
    label: labelOf(each),
    ...figuresOf(only(countedByKey.get(each)), only(spentByKey.get(each))),
  }))
  if (asked.groupBy !== 'day')
    rows.sort((a, b) => b.cost_usd - a.cost_usd || b.runs - a.runs || (a.label < b.label ? -1 : 1))
  return {
    from: dayName(range.from),
    to: dayName(range.to),
    rows,
    total: figuresOf([...countedByKey.values()], spent),
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
  { keys: shown, counted }: { keys: string[]; counted: Map<string, { name?: string }> },
): Promise<(key: string) => string> {
  if (groupBy === 'day') return (key) => dayName(Number(key))
  if (groupBy === 'user') return personLabels(services, person, scope, shown)
  if (groupBy === 'agent') {
    const own = await agentLabels(services, person, shown)
    return (key) => own.get(key) ?? counted.get(key)?.name ?? callsWithoutAgent[key] ?? 'Deleted agent'
  }
  return (key) => key
}
