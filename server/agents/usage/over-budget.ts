import { Problem } from '#server/http/problem.ts'
import type { PlannedCall } from './reserve-budget.ts'
import type { SpendingLimit } from './spending-limits.ts'

const dollarFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })

/** Says which budget is exceeded and when it resets; visitors learn neither. */
export function createOverBudgetProblem(
  exceededLimit: SpendingLimit & { limit: number },
  call: PlannedCall,
  now: Date,
): Problem {
  return new Problem('over-budget', {
    message: call.personId ? formatPersonText(exceededLimit) : formatVisitorText(exceededLimit),
    retryAfterSeconds: (exceededLimit.window.end - now.getTime()) / 1000,
  })
}

function formatPersonText({ scope, limit, window }: SpendingLimit & { limit: number }): string {
  const resetText = `The budget resets on ${dayFormat.format(window.end)}.`
  if (scope === 'mine')
    return `This would exceed your ${dollarFormat.format(limit / 1_000_000)} monthly budget, so nothing was sent. ${resetText} You can change it under Your usage.`
  if (scope === 'each_person')
    return `This would exceed the monthly budget of each person on this server’s keys, so nothing was sent. ${resetText} To continue now, add a personal API key.`
  return `This would exceed this server’s monthly budget, so nothing was sent. ${resetText} Anyone who manages its API keys can change it.`
}

function formatVisitorText({ scope }: SpendingLimit): string {
  return scope === 'visitors' || scope === 'agent'
    ? 'This agent has answered all it can today. Come back tomorrow.'
    : 'This agent has answered all it can this month. Come back next month.'
}
