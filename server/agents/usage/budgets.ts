import type * as z from 'zod/mini'
import { type Budget, type BudgetScope, type budget, budgetScopes, type usageCalls } from '#contract/agents/usage.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { dollarWords } from './dollar-words.ts'
import { dayWindow, monthWindow, type SpendWindow, spentIn } from './spend-windows.ts'
import { defaultVisitorsDailyMicros, eachPersonBucket, mineBucket } from './spending-limits.ts'

type BudgetChange = z.output<typeof usageCalls.setBudget.body & object>

const warnAtPercentByDefault = 80

interface BudgetRow {
  limit_micros: number | null
  warn_at_percent: number
}

export async function listBudgets(services: Services, person: Person): Promise<Budget[]> {
  const windows = windowsOf(person, services.now())
  const [rows, spent] = await Promise.all([
    budgetRows(services, person.id),
    spentIn(services.db, Object.values(windows)),
  ])
  const seesAll = mayChange(person, 'platform') || person.permissions.has('view_analytics')
  return budgetScopes.flatMap((scope) => {
    const view = budgetView(
      scope,
      rows.find((row) => row.scope === scope),
      {
        window: windows[scope],
        spent: spent.get(windows[scope].bucket) ?? 0,
        person,
      },
    )
    const concerns = seesAll || scope === 'mine' || (scope === 'each_person' && view.limit_usd !== null)
    return concerns ? [view] : []
  })
}

/** Omitted fields stay; unchanged values write nothing. @throws Problem `permission-missing` without `manage_api_keys` */
export async function setBudget(services: Services, person: Person, change: BudgetChange): Promise<Budget> {
  const { scope, limit_usd, warn_at_percent } = change
  if (!mayChange(person, scope)) {
    throw new Problem('permission-missing', {
      message: 'This needs the permission "manage_api_keys". You can change only your own budget.',
    })
  }
  const row = (await budgetRows(services, person.id)).find((each) => each.scope === scope)
  const before = inEffect(scope, row)
  const after = {
    limit_micros: limit_usd === null ? null : Math.round(limit_usd * 1_000_000),
    warn_at_percent: warn_at_percent ?? before.warn_at_percent,
  }
  if (after.limit_micros !== before.limit_micros || after.warn_at_percent !== before.warn_at_percent) {
    const writes = [requireChanges(budgetWrite(services, person, scope, row, after))]
    // A personal budget is not an administrative action.
    if (scope !== 'mine') writes.push(budgetAudit(services, person, scope, before, after))
    try {
      await services.db.batch(writes)
    } catch (error) {
      // Set concurrently, so read again and retry.
      if (error instanceof UnexpectedChanges) return setBudget(services, person, change)
      throw error
    }
  }
  const window = windowsOf(person, services.now())[scope]
  const spent = await spentIn(services.db, [window])
  return budgetView(scope, after, { window, spent: spent.get(window.bucket) ?? 0, person })
}

function budgetWrite(
  { db, now }: Services,
  person: Person,
  scope: BudgetScope,
  row: BudgetRow | undefined,
  after: BudgetRow,
): Write {
  const subject = scope === 'mine' ? person.id : 'all'
  const values = { ...after, updated_at: now().getTime(), updated_by: person.id }
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

function budgetAudit(services: Services, person: Person, scope: BudgetScope, before: BudgetRow, after: BudgetRow) {
  const limitWords = ({ limit_micros }: BudgetRow) =>
    limit_micros === null ? 'no limit' : dollarWords(limit_micros / 1_000_000)
  return auditing(services, {
    action: 'budget-set',
    actor: person,
    subject: scope,
    details: {
      ...(after.limit_micros !== before.limit_micros && { from: limitWords(before), to: limitWords(after) }),
      ...(after.warn_at_percent !== before.warn_at_percent && { warnAtPercent: `${after.warn_at_percent}` }),
    },
  })
}

function mayChange(person: Person, scope: BudgetScope): boolean {
  return scope === 'mine' || person.permissions.has('manage_api_keys')
}

function windowsOf(person: Person, now: Date): Record<BudgetScope, SpendWindow> {
  return {
    mine: monthWindow(mineBucket(person.id), now),
    platform: monthWindow('platform', now),
    each_person: monthWindow(eachPersonBucket(person.id), now),
    visitors: dayWindow('visitors', now),
  }
}

function budgetRows(services: Services, personId: string) {
  return services.db
    .selectFrom('budgets')
    .select(['scope', 'limit_micros', 'warn_at_percent'])
    .where((where) =>
      where.or([
        where.and([where('scope', '=', 'mine'), where('subject', '=', personId)]),
        where.and([where('scope', '!=', 'mine'), where('subject', '=', 'all')]),
      ]),
    )
    .execute()
}

function budgetView(
  scope: BudgetScope,
  row: BudgetRow | undefined,
  { window, spent, person }: { window: SpendWindow; spent: number; person: Person },
): z.output<typeof budget> {
  const { limit_micros: limit, warn_at_percent } = inEffect(scope, row)
  return {
    scope,
    period: scope === 'visitors' ? 'day' : 'month',
    limit_usd: limit === null ? null : limit / 1_000_000,
    warn_at_percent,
    spent_usd: spent / 1_000_000,
    period_ends_at: new Date(window.end).toISOString(),
    may_change: mayChange(person, scope),
  }
}

function inEffect(scope: BudgetScope, row: BudgetRow | undefined): BudgetRow {
  const limit_micros = scope === 'visitors' ? defaultVisitorsDailyMicros : null
  return row ?? { limit_micros, warn_at_percent: warnAtPercentByDefault }
}
