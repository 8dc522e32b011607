import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { ApiError, call } from '#web/api.ts'
import { sampleKeeper } from './samples/sample-keepers.ts'

/**
 * Keys: `['keepers', …]` for lists over all keepers, `['keeper', id, entity, …]` for what is in one, under the keeper's
 * own id and not the `1` of an address. Every `keeper-changed` event makes all of them stale.
 */
export const keepersKey = ['keepers'] as const
export const keeperKey = (id: string, ...rest: readonly unknown[]) => ['keeper', id, ...rest] as const

const keeperList = queryOptions({
  queryKey: [...keepersKey, 'list'],
  queryFn: ({ signal }) => call(keepers.list, { signal }),
})

export const useKeepers = ({ enabled = true } = {}) => useQuery({ ...keeperList, enabled })

/** An address that stands for one of one's own keepers, and there is none. */
export class NoKeeperYet extends ApiError {
  override name = 'NoKeeperYet'
  constructor() {
    super({ status: 404, statusText: 'Not Found' }, JSON.stringify({ error: 'Keeper not found' }))
  }
}

/** `id` as in the address: a sample's, `1`, `new-keeper-id`, or a keeper's own. Samples are never asked for. */
export function useKeeper(id: string) {
  const sample = sampleKeeper(id)
  return useQuery<Keeper>({
    queryKey: keeperKey(id),
    queryFn: ({ signal, client }) =>
      sample ??
      (id === '1' || id === 'new-keeper-id' ? ownKeeper(client, id) : call(keepers.show, { params: { id }, signal })),
    ...(sample && { initialData: sample, staleTime: Number.POSITIVE_INFINITY }),
  })
}

/** Looked up in the list: who has no keeper yet has asked for nothing that is missing. */
async function ownKeeper(client: QueryClient, id: '1' | 'new-keeper-id'): Promise<Keeper> {
  const mine = await client.fetchQuery({ ...keeperList, staleTime: 1000 })
  const keeper = id === '1' ? mine[0] : mine.at(-1)
  if (!keeper) throw new NoKeeperYet()
  return keeper
}
