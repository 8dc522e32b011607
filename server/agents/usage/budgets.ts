import type * as z from 'zod/mini'
import { type Budget, type BudgetScope, budgetScopes, type usageCalls } from '#contract/agents/usage.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { retryChanges } from '#server/http/retry-changes.ts'
import type { Services } from '#server/services.ts'
import { formatDollars, toDollars, toMicros } from '#server/values/dollars.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { fetchSpentMicros, getDayWindow, getMonthWindow, type SpendWindow } from './spend-windows.ts'
import {
  defaultVisitorsDailyMicros,
  fetchBudgetRows,
  getPersonBucket,
  getPlatformPersonBucket,
} from './spending-limits.ts'

type BudgetChange = z.output<typeof usageCalls.setBudget.body & object>

const defaultWarnAtPercent = 80

interface BudgetRow {
  limit_micros: number | null
  warn_at_percent: number
}

export async function listBudgets(services: Services, person: Person): Promise<Budget[]> {
  const windows = getWindows(person, services.now())
  const [rows, spentMicrosByBucket] = await Promise.all([
    fetchBudgetRows(services.db, person.id),
    fetchSpentMicros(services.db, Object.values(windows)),
  ])
  const canSeeAll = canChangeBudget(person, 'platform') || person.permissions.has('view_analytics')
  return budgetScopes.flatMap((scope) => {
    const row = rows.find((candidate) => candidate.scope === scope)
    const view = toBudgetView(person, scope, row, { window: windows[scope], spentMicrosByBucket })
    const isRelevant = canSeeAll || scope === 'mine' || (scope === 'each_person' && view.limit_usd !== null)
    return isRelevant ? [view] : []
  })
}

/** Omitted fields stay; unchanged values write nothing. @throws Problem `permission-missing` without `manage_api_keys` */
export async function setBudget(
  services: Services,
  person: Person,
  { scope, limit_usd, warn_at_percent }: BudgetChange,
): Promise<Budget> {
  if (!canChangeBudget(person, scope)) {
    throw new Problem('permission-missing', {
      message: 'You need the permission "manage_api_keys" to change this budget. You can change only your own.',
    })
  }
  const updated = await retryChanges(async () => {
    const row = (await fetchBudgetRows(services.db, person.id)).find((candidate) => candidate.scope === scope)
    const previous = getEffectiveBudget(scope, row)
    const next = { limit_micros: toMicros(limit_usd), warn_at_percent: warn_at_percent ?? previous.warn_at_percent }
    if (next.limit_micros === previous.limit_micros && next.warn_at_percent === previous.warn_at_percent) return next
    const writes = [requireChanges(buildBudgetWrite(services, person, scope, row, next))]
    if (scope !== 'mine') writes.push(buildBudgetAudit(services, person, scope, previous, next))
    await services.db.batch(writes)
    return next
  })
  const window = getWindows(person, services.now())[scope]
  const spentMicrosByBucket = await fetchSpentMicros(services.db, [window])
  return toBudgetView(person, scope, updated, { window, spentMicrosByBucket })
}

function buildBudgetWrite(
  { db, now }: Services,
  person: Person,
  scope: BudgetScope,
  row: BudgetRow | undefined,
  updated: BudgetRow,
): Write {
  const subject = scope === 'mine' ? person.id : 'all'
  const values = { ...updated, updated_at: now().getTime(), updated_by: person.id }
  return row
    ? db
        .updateTable('budgets')
        .set(values)
        .where('scope', '=', scope)
        .where('subject', '=', subject)
        .where('limit_micros', 'is not distinct from', row.limit_micros)
        .where('warn_at_percent', '=', row.warn_at_percent)
    : db
        .insertInto('budgets')
        .values({ scope, subject, ...values })
        .onConflict((conflict) => conflict.columns(['scope', 'subject']).doNothing())
}

function buildBudgetAudit(
  services: Services,
  person: Person,
  scope: BudgetScope,
  previous: BudgetRow,
  updated: BudgetRow,
) {
  const formatLimit = ({ limit_micros }: BudgetRow) =>
    limit_micros === null ? 'no limit' : formatDollars(toDollars(limit_micros))
  return insertAudit(services, {
    action: 'budget-set',
    actor: person,
    subject: scope,
    details: {
      ...(updated.limit_micros !== previous.limit_micros && { from: formatLimit(previous), to: formatLimit(updated) }),
      ...(updated.warn_at_percent !== previous.warn_at_percent && { warnAtPercent: `${updated.warn_at_percent}` }),
    },
  })
}

function canChangeBudget(person: Person, scope: BudgetScope): boolean {
  return scope === 'mine' || person.permissions.has('manage_api_keys')
}

function getWindows(person: Person, now: Date): Record<BudgetScope, SpendWindow> {
  return {
    mine: getMonthWindow(getPersonBucket(person.id), now),
    platform: getMonthWindow('platform', now),
    each_person: getMonthWindow(getPlatformPersonBucket(person.id), now),
    visitors: getDayWindow('visitors', now),
  }
}

function toBudgetView(
  person: Person,
  scope: BudgetScope,
  row: BudgetRow | undefined,
  { window, spentMicrosByBucket }: { window: SpendWindow; spentMicrosByBucket: Map<string, number> },
): Budget {
  const { limit_micros, warn_at_percent } = getEffectiveBudget(scope, row)
  return {
    scope,
    period: scope === 'visitors' ? 'day' : 'month',
    limit_usd: toDollars(limit_micros),
    warn_at_percent,
    spent_usd: toDollars(spentMicrosByBucket.get(window.bucket) ?? 0),
    period_ends_at: toIsoTime(window.end),
    may_change: canChangeBudget(person, scope),
  }
}

function getEffectiveBudget(scope: BudgetScope, row: BudgetRow | undefined): BudgetRow {
  const limit_micros = scope === 'visitors' ? defaultVisitorsDailyMicros : null
  return row ?? { limit_micros, warn_at_percent: defaultWarnAtPercent }
}
