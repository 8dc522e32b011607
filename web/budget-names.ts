import type { BudgetScope } from '#contract/agents/usage.ts'

export const budgetNames: Record<BudgetScope, string> = {
  mine: 'Your own budget',
  platform: 'All that the platform’s keys pay',
  each_person: 'What they pay for each person',
  visitors: 'What visitors may spend of it',
}
