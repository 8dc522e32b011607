import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usageCalls } from '#contract/agents/usage.ts'
import type { Permission } from '#contract/endpoint.ts'
import { type CallInput, call } from '#web/api/api.ts'

type UsageQuery = NonNullable<CallInput<typeof usageCalls.show>['query']>
/** The current person’s permissions; undefined until loaded. */
export type Permissions = readonly Permission[] | undefined
export type UsageScope = 'mine' | 'agents' | 'platform'

const usageKey = ['usage'] as const
export const budgetsKey = [...usageKey, 'budgets'] as const
export const pricesKey = [...usageKey, 'prices'] as const

export function useUsage(query: UsageQuery, enabled = true) {
  return useQuery({
    queryKey: [...usageKey, 'figures', query],
    queryFn: ({ signal }) => call(usageCalls.show, { query, signal }),
    placeholderData: keepPreviousData,
    enabled,
  })
}

export function useBudgets() {
  return useQuery({ queryKey: budgetsKey, queryFn: ({ signal }) => call(usageCalls.budgets, { signal }) })
}

export function usePrices() {
  return useQuery({ queryKey: pricesKey, queryFn: ({ signal }) => call(usageCalls.prices, { signal }) })
}
