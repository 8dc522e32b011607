import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import { givenProvider, shownProvider } from './model-settings.ts'

export const usageGroups = ['day', 'agent', 'provider', 'model', 'user'] as const
export type UsageGroup = (typeof usageGroups)[number]

/**
 * Figures over runs and the model calls they made. Of days, agents and people a run is counted once, whatever it
 * called; of providers and models `runs` counts requests.
 */
export const usageFigures = z.object({
  runs: z.number(),
  errors: z.number(),
  mock_runs: z.number(),
  p50_ms: z.nullable(z.number()),
  p95_ms: z.nullable(z.number()),
  input_tokens: z.number(),
  output_tokens: z.number(),
  /** Some of the figures were estimated, because a provider did not say. */
  estimated: z.boolean(),
  /** What has a known price; `unpriced_runs` says how many have none. */
  cost_usd: z.number(),
  unpriced_runs: z.number(),
  /** Of `cost_usd`, by whose key paid. */
  personal_usd: z.number(),
  platform_usd: z.number(),
})
export type UsageFigures = z.infer<typeof usageFigures>

export const usageRow = z.object({
  /** The day (`2026-11-20`, UTC), an id, a provider or `provider/model`; `visitors` for all who did not sign in. */
  key: z.string(),
  /** As it is shown. */
  label: shownLine,
  ...usageFigures.shape,
})
export type UsageRow = z.infer<typeof usageRow>

/**
 * `mine`: a person's own spending in a month, whichever key. `platform`: all that platform keys pay in a month.
 * `each_person`: what platform keys pay for any one signed-in person in a month. `visitors`: what visitors may spend
 * on platform keys in a day.
 */
export const budgetScopes = ['mine', 'platform', 'each_person', 'visitors'] as const
export type BudgetScope = (typeof budgetScopes)[number]

export const budget = z.object({
  scope: z.enum(budgetScopes),
  period: z.enum(['month', 'day']),
  /** `null`: no limit. */
  limit_usd: z.nullable(z.number()),
  warn_at_percent: z.number(),
  /** In this period so far, reservations of running answers included; of `each_person`: the asking person's. */
  spent_usd: z.number(),
  period_ends_at: z.string(),
  /** Whether the asking person may change it. */
  may_change: z.boolean(),
})
export type Budget = z.infer<typeof budget>

export const modelPrice = z.object({
  provider: shownProvider,
  model: shownLine,
  /** US dollars for a million tokens. */
  input_usd: z.number(),
  output_usd: z.number(),
  /** Input read from the provider's cache, and written to it; `null`: as input. */
  cached_input_usd: z.nullable(z.number()),
  cache_write_usd: z.nullable(z.number()),
  /** `own`: set on this server, in place of the one that comes with Keeper. */
  source: z.enum(['list', 'own']),
  updated_at: z.nullable(z.string()),
})
export type ModelPrice = z.infer<typeof modelPrice>

const range = {
  /** ISO dates, UTC; 30 days up to today when absent. `to` is included. At most 366 days. */
  from: z.optional(z.string().check(z.maxLength(40))),
  to: z.optional(z.string().check(z.maxLength(40))),
  groupBy: z._default(z.enum(usageGroups, 'Choose one of: day, agent, provider, model, user.'), 'day'),
  /** `mine`: one's own runs. `agents`: all runs of one's own agents. `platform`: everybody's, with `view_analytics`. */
  scope: z._default(z.enum(['mine', 'agents', 'platform'], 'Choose one of: mine, agents, platform.'), 'mine'),
}
const dollars = z
  .number('Enter an amount in dollars.')
  .check(z.gte(0, 'Use an amount of 0 or more.'), z.lte(1_000_000, 'Use at most 1,000,000.'))

const manages = { permission: 'manage_api_keys' } as const
const priceBody = z.object({
  provider: givenProvider,
  model: oneLine({ max: 200, min: 1, message: 'Name the model.' }),
})

export const usageCalls = {
  show: endpoint('GET /api/kip/usage', {
    summary: 'Runs, errors, times, tokens and cost over some days, grouped',
    access: 'person',
    query: z.object(range),
    returns: z.object({ from: z.string(), to: z.string(), rows: z.array(usageRow), total: usageFigures }),
  }),
  exportFile: endpoint('GET /api/kip/usage/export', {
    summary: 'The same as CSV',
    access: 'person',
    query: z.object(range),
    returns: z.unknown(),
  }),
  budgets: endpoint('GET /api/kip/usage/budget', {
    summary: 'The budgets that hold for the asking person, and for administrators those of the platform',
    access: 'person',
    returns: z.array(budget),
  }),
  setBudget: endpoint('PUT /api/kip/usage/budget', {
    summary: 'Set or lift a budget: one’s own, or with manage_api_keys the platform’s',
    access: 'person',
    body: z.object({
      scope: z.enum(budgetScopes, 'Choose one of: mine, platform, each_person, visitors.'),
      limit_usd: z.nullable(dollars),
      warn_at_percent: z.optional(
        z.int('Use a whole number.').check(z.gte(1, 'Use 1 to 100.'), z.lte(100, 'Use 1 to 100.')),
      ),
    }),
    returns: budget,
  }),
  prices: endpoint('GET /api/kip/prices', {
    summary: 'What models cost here',
    access: 'person',
    returns: z.array(modelPrice),
  }),
  setPrice: endpoint('PUT /api/kip/prices', {
    summary: 'Set the price of a model; counts from the next run',
    access: manages,
    body: z.object({
      ...priceBody.shape,
      input_usd: dollars,
      output_usd: dollars,
      cached_input_usd: z.optional(z.nullable(dollars)),
      cache_write_usd: z.optional(z.nullable(dollars)),
    }),
    returns: modelPrice,
  }),
  removePrice: endpoint('DELETE /api/kip/prices', {
    summary: 'Go back to the price that comes with Keeper, or to none',
    access: manages,
    body: priceBody,
    returns: z.nullable(z.object({})),
  }),
}
