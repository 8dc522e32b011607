import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { ApiError, call } from '#web/api/api.ts'
import { keeperKey, keeperListQuery } from './keeper-queries.ts'

/** Thrown when an alias such as `1` refers to the person's own keeper and they have none. */
export class NoKeeperError extends ApiError {
  override name = 'NoKeeperYet'
  constructor() {
    super({ status: 404, statusText: 'Not Found' }, JSON.stringify({ error: 'Keeper not found' }))
  }
}

/** @param id from the URL: a demo keeper, `1`, `new-keeper-id`, or a real id. */
export function useKeeper(id: string) {
  return useQuery<Keeper>({
    queryKey: keeperKey(id),
    queryFn: async ({ signal, client }) => {
      if (id === '1' || id === 'new-keeper-id') return fetchDefaultKeeper(client, id)
      return call(keepers.show, { params: { id }, signal })
    },
    // Opening a demo keeper resets it.
    ...(isDemoKeeper(id) && { staleTime: 'static', gcTime: 0 }),
  })
}

/** Uses the list, so that having no keeper isn't reported as a missing one. */
async function fetchDefaultKeeper(client: QueryClient, id: '1' | 'new-keeper-id'): Promise<Keeper> {
  const allKeepers = await client.fetchQuery({ ...keeperListQuery, staleTime: 1000 })
  const keeper =
    id === '1' ? allKeepers[0] : (allKeepers.findLast((candidate) => !isSampleKeeper(candidate)) ?? allKeepers.at(-1))
  if (!keeper) throw new NoKeeperError()
  return keeper
}
