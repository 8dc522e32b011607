import { queryOptions, useQuery } from '@tanstack/react-query'
import { keepers } from '#contract/keepers/keepers.ts'
import { call } from '#web/api.ts'

/**
 * Keys: `['keepers', …]` for lists over all keepers, `['keeper', id, entity, …]` for what is in one, under the keeper's
 * own id and not the `1` of an address. Every `keeper-changed` event makes all of them stale.
 */
export const keepersKey = ['keepers'] as const
export const keeperKey = (id: string, ...rest: readonly unknown[]) => ['keeper', id, ...rest] as const

export const keeperList = queryOptions({
  queryKey: [...keepersKey, 'list'],
  queryFn: ({ signal }) => call(keepers.list, { signal }),
})

export const useKeepers = ({ enabled = true } = {}) => useQuery({ ...keeperList, enabled })
