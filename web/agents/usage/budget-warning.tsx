import type { Budget, BudgetScope } from '#contract/agents/usage.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { budgetNames } from '#web/ui/text/budget-names.ts'
import { formatRunCost } from '../runs/run-texts.ts'
import { formatAmount, formatShortDay } from './usage-format.ts'
import { useBudgets } from './usage-queries.ts'

export function getPercentSpent({ limit_usd, spent_usd }: Budget): number {
  if (limit_usd === null) return 0
  return limit_usd === 0 ? 100 : (spent_usd / limit_usd) * 100
}

export interface BudgetWarningProps {
  onlyScope?: BudgetScope
  onChange?: () => void
  className?: string
}

export function BudgetWarning({ onlyScope, onChange, className }: BudgetWarningProps) {
  const { data = [] } = useBudgets()
  const lowBudgets = data.filter(
    (budget) =>
      budget.may_change &&
      budget.limit_usd !== null &&
      isBudgetLow(budget) &&
      (!onlyScope || budget.scope === onlyScope),
  )
  if (lowBudgets.length === 0) return null
  return (
    <Banner
      tone="warning"
      className={className}
      action={
        onChange && (
          <Button size="small" variant="plain" onClick={onChange}>
            Change budgets
          </Button>
        )
      }
    >
      {lowBudgets.map((budget) => (
        <span key={budget.scope} className="block">
          {budgetNames[budget.scope]}: {formatRunCost(budget.spent_usd)} of {formatAmount(budget.limit_usd ?? 0)} this{' '}
          {budget.period} is spent or reserved. The budget resets on {formatShortDay(budget.period_ends_at)}.
        </span>
      ))}
    </Banner>
  )
}

export function isBudgetLow(budget: Budget): boolean {
  return getPercentSpent(budget) >= budget.warn_at_percent
}
