import { queryOptions } from '@tanstack/react-query'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { readAllPages } from './api-pages.ts'

/** Whatever is asked about keeper types stands under it, so that a change is seen wherever they are shown. */
export const keeperTypesKey = ['keeper-types'] as const

export const keeperTypesQuery = queryOptions({
  queryKey: [...keeperTypesKey, 'all'],
  queryFn: ({ signal }) => readAllPages<KeeperType>(keeperTypes.list, {}, signal),
})
