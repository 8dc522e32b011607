import type * as z from 'zod/mini'
import { type Budget, type BudgetScope, type budget, budgetScopes, type usageCalls } from '#contract/agents/usage.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { dayWindow, monthWindow, type SpendWindow, spentIn } from './spend-windows.ts'
import { defaultVisitorsDailyMicros, eachPersonBucket, mineBucket } from './spending-limits.ts'

type BudgetChange = z.output<typeof usageCalls.setBudget.body & object>

const warnAtPercentByDefault = 80

/** One's own, what the platform's keys pay for one if that is limited, and those of the platform for who looks after it. */
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

/** @throws Problem `permission-missing` for a budget of the platform without `manage_api_keys`. */
export async function setBudget(services: Services, person: Person, change: BudgetChange): Promise<Budget> {
  const { scope, limit_usd, warn_at_percent } = change
  if (!mayChange(person, scope)) {
    throw new Problem('permission-missing', {
      message: 'This needs the permission "manage_api_keys". Your own budget you can change.',
    })
  }
  const values = {
    limit_micros: limit_usd === null ? null : Math.round(limit_usd * 1_000_000),
    updated_at: services.now().getTime(),
    updated_by: person.id,
  }
  await services.db
    .insertInto('budgets')
    .values({
      ...values,
      scope,
      subject: scope === 'mine' ? person.id : 'all',
      warn_at_percent: warn_at_percent ?? warnAtPercentByDefault,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'subject'])
        .doUpdateSet(warn_at_percent === undefined ? values : { ...values, warn_at_percent }),
    )
    .execute()
  const window = windowsOf(person, services.now())[scope]
  const [rows, spent] = await Promise.all([budgetRows(services, person.id), spentIn(services.db, [window])])
  return budgetView(
    scope,
    rows.find((row) => row.scope === scope),
    {
      window,
      spent: spent.get(window.bucket) ?? 0,
      person,
    },
  )
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
  row: { limit_micros: number | null; warn_at_percent: number } | undefined,
  { window, spent, person }: { window: SpendWindow; spent: number; person: Person },
): z.output<typeof budget> {
  const limit = row ? row.limit_micros : scope === 'visitors' ? defaultVisitorsDailyMicros : null
  return {
    scope,
    period: scope === 'visitors' ? 'day' : 'month',
    limit_usd: limit === null ? null : limit / 1_000_000,
    warn_at_percent: row?.warn_at_percent ?? warnAtPercentByDefault,
    spent_usd: spent / 1_000_000,
    period_ends_at: new Date(window.end).toISOString(),
    may_change: mayChange(person, scope),
  }
}
