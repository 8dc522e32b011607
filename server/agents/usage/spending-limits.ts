import type { BudgetScope } from '#contract/agents/usage.ts'
import type { ConnectedProgram } from '#server/accounts/person.ts'
import { type Database, prepareQuery } from '#server/db/database.ts'
import type { ChosenKey } from '#server/keys/choose-key.ts'
import { getDayWindow, getMonthWindow, type SpendWindow } from './spend-windows.ts'

export const defaultVisitorsDailyMicros = 1_000_000
export const defaultOwnerKeyDailyMicros = 500_000

/** A budget that a call counts toward. `limitMicros` in millionths of a dollar; null if spending is only counted. */
export interface SpendingLimit {
  scope: BudgetScope | 'agent' | 'connection'
  window: SpendWindow
  limitMicros: number | null
}

export interface Spending {
  agent: { id: string; visitor_daily_micros: number | null }
  personId: string | null
  key: Pick<ChosenKey, 'source' | 'payer'>
  connection?: Pick<ConnectedProgram, 'id' | 'monthlyLimitMicros'> | null
}

/** Every budget a call counts toward, most widely shared first, so that concurrent calls lock them in the same order. */
export async function fetchSpendingLimits(db: Database, spending: Spending, now: Date): Promise<SpendingLimit[]> {
  const { agent, personId, key, connection } = spending
  if (key.source !== 'personal' && key.source !== 'platform') return []
  const isPlatformKey = key.source === 'platform'
  const spenderId = personId ?? (isPlatformKey ? null : key.payer)
  const budgets = await fetchBudgetRows(db, spenderId ?? '')
  const getLimitMicros = (scope: BudgetScope, fallback: number | null = null) => {
    const row = budgets.find((candidate) => candidate.scope === scope)
    return row ? row.limit_micros : fallback
  }
  const limits: SpendingLimit[] = []
  if (isPlatformKey) {
    limits.push({ scope: 'platform', window: getMonthWindow('platform', now), limitMicros: getLimitMicros('platform') })
    if (personId) {
      const window = getMonthWindow(getPlatformPersonBucket(personId), now)
      limits.push({ scope: 'each_person', window, limitMicros: getLimitMicros('each_person') })
    } else {
      const limitMicros = getLimitMicros('visitors', defaultVisitorsDailyMicros)
      limits.push({ scope: 'visitors', window: getDayWindow('visitors', now), limitMicros })
    }
  }
  if (spenderId)
    limits.push({
      scope: 'mine',
      window: getMonthWindow(getPersonBucket(spenderId), now),
      limitMicros: getLimitMicros('mine'),
    })
  if (connection)
    limits.push({
      scope: 'connection',
      window: getMonthWindow(`connection:${connection.id}`, now),
      limitMicros: connection.monthlyLimitMicros,
    })
  if (!personId)
    limits.push({
      scope: 'agent',
      window: getDayWindow(`agent:${agent.id}`, now),
      limitMicros: agent.visitor_daily_micros ?? (isPlatformKey ? null : defaultOwnerKeyDailyMicros),
    })
  return limits
}

export function getPersonBucket(personId: string): string {
  return `mine:${personId}`
}

export function getPlatformPersonBucket(personId: string): string {
  return `each_person:${personId}`
}

/** The person's own budget and the budgets of the platform. */
export const fetchBudgetRows = (db: Database, personId: string) => budgetRowsQuery.all(db, { personId })

const budgetRowsQuery = prepareQuery<{ personId: string }>()((db, { personId }) =>
  db
    .selectFrom('budgets')
    .select(['scope', 'limit_micros', 'warn_at_percent'])
    .where((where) =>
      where.or([
        where.and([where('scope', '=', 'mine'), where('subject', '=', personId)]),
        where.and([where('scope', '!=', 'mine'), where('subject', '=', 'all')]),
      ]),
    ),
)
