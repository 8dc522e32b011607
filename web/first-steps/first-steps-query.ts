import { queryOptions } from '@tanstack/react-query'
import { type FirstSteps, ownAccount } from '#contract/accounts/own-account.ts'
import { call } from '#web/api/api.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'

/** Under keepersKey, since most steps are completed by keeper changes. */
export const firstStepsQuery = queryOptions({
  queryKey: [...keepersKey, 'first-steps'],
  queryFn: ({ signal }) => call(ownAccount.firstSteps, { signal }),
})

export const areFirstStepsVisible = (steps: FirstSteps | undefined) => steps !== undefined && !steps.dismissed
