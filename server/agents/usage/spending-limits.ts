import type { BudgetScope } from '#contract/agents/usage.ts'
import { type Database, preparedQuery } from '#server/db/database.ts'
import type { ChosenKey } from '#server/keys/choose-key.ts'
import { dayWindow, monthWindow, type SpendWindow } from './spend-windows.ts'

export const defaultVisitorsDailyMicros = 1_000_000
export const defaultOwnerKeyDailyMicros = 500_000

/** A budget that a call counts for. `limit` in millionths of a dollar; null if it is only counted. */
export interface SpendingLimit {
  scope: BudgetScope | 'agent'
  window: SpendWindow
  limit: number | null
}

export interface Spending {
  agent: { id: string; visitor_daily_micros: number | null }
  personId: string | null
  key: Pick<ChosenKey, 'source' | 'payer'>
}

/** Every budget a call counts for, most widely shared first, so that concurrent calls lock them in the same order. */
export async function limitsOn(db: Database, spending: Spending, now: Date): Promise<SpendingLimit[]> {
  const { agent, personId, key } = spending
  if (key.source !== 'personal' && key.source !== 'platform') return []
  const onPlatform = key.source === 'platform'
  const spender = personId ?? (onPlatform ? null : key.payer)
  const set = await setLimits.all(db, { spender: spender ?? '' })
  const limitOf = (scope: BudgetScope, otherwise: number | null = null) => {
    const row = set.find((each) => each.scope === scope)
    return row ? row.limit_micros : otherwise
  }
  const limits: SpendingLimit[] = []
  if (onPlatform) {
    limits.push({ scope: 'platform', window: monthWindow('platform', now), limit: limitOf('platform') })
    limits.push(
      personId
        ? {
            scope: 'each_person',
            window: monthWindow(eachPersonBucket(personId), now),
            limit: limitOf('each_person'),
          }
        : {
            scope: 'visitors',
            window: dayWindow('visitors', now),
            limit: limitOf('visitors', defaultVisitorsDailyMicros),
          },
    )
  }
  if (spender) limits.push({ scope: 'mine', window: monthWindow(mineBucket(spender), now), limit: limitOf('mine') })
  if (!personId)
    limits.push({
      scope: 'agent',
      window: dayWindow(`agent:${agent.id}`, now),
      limit: agent.visitor_daily_micros ?? (onPlatform ? null : defaultOwnerKeyDailyMicros),
    })
  return limits
}

export function mineBucket(personId: string): string {
  return `mine:${personId}`
}

export function eachPersonBucket(personId: string): string {
  return `each_person:${personId}`
}

const setLimits = preparedQuery<{ spender: string }>()((db, { spender }) =>
  db
    .selectFrom('budgets')
    .select(['scope', 'limit_micros'])
    .where((where) =>
      where.or([
        where.and([where('scope', '=', 'mine'), where('subject', '=', spender)]),
        where.and([where('scope', '!=', 'mine'), where('subject', '=', 'all')]),
      ]),
    ),
)
