import { useQuery } from '@tanstack/react-query'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { call } from '#web/api.ts'
import { sampleKeeper } from './samples/sample-keepers.ts'

/**
 * Keys: `['keepers', …]` for lists over all keepers, `['keeper', id, entity, …]` for what is in one, under the keeper's
 * own id and not the `1` of an address. Every `keeper-changed` event makes all of them stale.
 */
export const keepersKey = ['keepers'] as const
export const keeperKey = (id: string, ...rest: readonly unknown[]) => ['keeper', id, ...rest] as const

export const useKeepers = ({ enabled = true } = {}) =>
  useQuery({ queryKey: [...keepersKey, 'list'], queryFn: ({ signal }) => call(keepers.list, { signal }), enabled })

/** `id` as in the address: a sample's, `1`, `new-keeper-id`, or a keeper's own. Samples are never asked for. */
export function useKeeper(id: string) {
  const sample = sampleKeeper(id)
  return useQuery<Keeper>({
    queryKey: keeperKey(id),
    queryFn: ({ signal }) => sample ?? call(keepers.show, { params: { id }, signal }),
    ...(sample && { initialData: sample, staleTime: Number.POSITIVE_INFINITY }),
  })
}
