import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse } from '../keepers/keeper-fields.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { providerInput, providerOutput } from './model-settings.ts'

export const usageGroups = ['day', 'agent', 'provider', 'model', 'user'] as const
export type UsageGroup = (typeof usageGroups)[number]

/** Grouped by provider or model, `runs` counts requests; otherwise each run counts once. */
export const usageMetrics = z.object({
  runs: z.number(),
  errors: z.number(),
  mock_runs: z.number(),
  p50_ms: z.nullable(z.number()),
  p95_ms: z.nullable(z.number()),
  input_tokens: z.number(),
  output_tokens: z.number(),
  estimated: z.boolean(),
  /** Priced usage only; `unpriced_runs` counts runs without a price. */
  cost_usd: z.number(),
  unpriced_runs: z.number(),
  /** `cost_usd` split by whose key was used. */
  personal_usd: z.number(),
  platform_usd: z.number(),
})
export type UsageMetrics = z.infer<typeof usageMetrics>

export const usageRow = z.object({
  /** A UTC day (`2026-11-20`), an ID, a provider or `provider/model`; `visitors` for everyone not signed in. */
  key: z.string(),
  label: displayLine,
  ...usageMetrics.shape,
})
export type UsageRow = z.infer<typeof usageRow>

/** `mine`: one person's monthly spending with any key. `platform`, `each_person`: monthly spending with platform keys. `visitors`: daily. */
export const budgetScopes = ['mine', 'platform', 'each_person', 'visitors'] as const
export type BudgetScope = (typeof budgetScopes)[number]

export const budget = z.object({
  scope: z.enum(budgetScopes),
  period: z.enum(['month', 'day']),
  limit_usd: z.nullable(z.number()),
  warn_at_percent: z.number(),
  /** Spent in the current period, plus what running answers have reserved; for `each_person`, by the caller. */
  spent_usd: z.number(),
  period_ends_at: z.string(),
  may_change: z.boolean(),
})
export type Budget = z.infer<typeof budget>

export const modelPrice = z.object({
  provider: providerOutput,
  model: displayLine,
  /** US dollars per million tokens. */
  input_usd: z.number(),
  output_usd: z.number(),
  /** Cache reads and writes; `null`: same price as input. */
  cached_input_usd: z.nullable(z.number()),
  cache_write_usd: z.nullable(z.number()),
  source: z.enum(['list', 'own']),
  updated_at: z.nullable(z.string()),
})
export type ModelPrice = z.infer<typeof modelPrice>

const usageQuery = {
  /** ISO dates in UTC, `to` inclusive; defaults to the last 30 days, at most 366. */
  from: z.optional(z.string().check(z.maxLength(40))),
  to: z.optional(z.string().check(z.maxLength(40))),
  groupBy: z._default(z.enum(usageGroups, 'Choose one of: day, agent, provider, model, user.'), 'day'),
  /** `mine`: the caller's runs. `agents`: all runs of the caller's agents. `platform`: everyone's, with `view_analytics`. */
  scope: z._default(z.enum(['mine', 'agents', 'platform'], 'Choose one of: mine, agents, platform.'), 'mine'),
}
export const dollars = z
  .number('Enter an amount in dollars.')
  .check(z.gte(0, 'Use an amount of 0 or more.'), z.lte(1_000_000, 'Use at most 1,000,000.'))

const priceAccess = { permission: 'manage_api_keys' } as const
const priceBody = z.object({
  provider: providerInput,
  model: oneLine({ max: 200, min: 1, message: 'Enter a model name.' }),
})

export const usageCalls = {
  show: defineEndpoint('GET /api/kip/usage', {
    summary: 'Get usage for a range of days, grouped: runs, errors, times, tokens and costs',
    access: 'person',
    query: z.object(usageQuery),
    response: z.object({ from: z.string(), to: z.string(), rows: z.array(usageRow), total: usageMetrics }),
  }),
  exportFile: defineEndpoint('GET /api/kip/usage/export', {
    summary: 'Export usage as CSV',
    access: 'person',
    query: z.object(usageQuery),
    response: z.unknown(),
  }),
  budgets: defineEndpoint('GET /api/kip/usage/budget', {
    summary: 'List the budgets that apply to you and, for administrators, those of the platform',
    access: 'person',
    response: z.array(budget),
  }),
  setBudget: defineEndpoint('PUT /api/kip/usage/budget', {
    summary: 'Set or remove a budget: your own or, with manage_api_keys, the platform’s',
    access: 'person',
    proof: 'recent',
    body: z.object({
      scope: z.enum(budgetScopes, 'Choose one of: mine, platform, each_person, visitors.'),
      limit_usd: z.nullable(dollars),
      warn_at_percent: z.optional(
        z.int('Use a whole number.').check(z.gte(1, 'Use 1 to 100.'), z.lte(100, 'Use 1 to 100.')),
      ),
    }),
    response: budget,
  }),
  prices: defineEndpoint('GET /api/kip/prices', {
    summary: 'List model prices',
    access: 'person',
    response: z.array(modelPrice),
  }),
  setPrice: defineEndpoint('PUT /api/kip/prices', {
    summary: 'Set the price of a model, effective from the next run',
    access: priceAccess,
    body: z.object({
      ...priceBody.shape,
      input_usd: dollars,
      output_usd: dollars,
      cached_input_usd: z.optional(z.nullable(dollars)),
      cache_write_usd: z.optional(z.nullable(dollars)),
    }),
    response: modelPrice,
  }),
  removePrice: defineEndpoint('DELETE /api/kip/prices', {
    summary: 'Remove a price set here; the built-in price applies again, if there is one',
    access: priceAccess,
    body: priceBody,
    response: emptyResponse,
  }),
}
