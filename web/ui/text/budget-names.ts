import type { BudgetScope } from '#contract/agents/usage.ts'

export const budgetNames: Record<BudgetScope, string> = {
  mine: 'Your budget',
  platform: 'Whole platform',
  each_person: 'Each person',
  visitors: 'Visitors',
}
