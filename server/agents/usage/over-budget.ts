import { Problem } from '#server/http/problem.ts'
import type { PlannedCall } from './hold-budget.ts'
import type { SpendingLimit } from './spending-limits.ts'

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })

/** Says which budget has no room and when it has again. A visitor learns neither whose it is nor how much. */
export function overBudget(full: SpendingLimit & { limit: number }, call: PlannedCall, now: Date): Problem {
  return new Problem('over-budget', {
    message: call.personId ? textFor(full) : visitorText(full),
    retryAfterSeconds: (full.window.end - now.getTime()) / 1000,
  })
}

function textFor({ scope, limit, window }: SpendingLimit & { limit: number }): string {
  const again = `Nothing was sent. It begins anew on ${day.format(window.end)}.`
  if (scope === 'mine')
    return `Your own budget of ${dollars.format(limit / 1_000_000)} a month has no room left for this. ${again} You can change it under Your usage.`
  if (scope === 'each_person')
    return `What each person may spend on this server’s keys in a month has no room left for this. ${again} With a personal API key you can go on.`
  return `The monthly budget of this server has no room left for this. ${again} Who manages its API keys can change it.`
}

function visitorText({ scope }: SpendingLimit): string {
  return scope === 'visitors' || scope === 'agent'
    ? 'This agent has answered all it can today. Come back tomorrow.'
    : 'This agent has answered all it can this month. Come back next month.'
}
