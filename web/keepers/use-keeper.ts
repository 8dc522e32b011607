import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type Keeper, keepers } from '#contract/keepers/keepers.ts'
import { isSample } from '#contract/keepers/sample-keeper.ts'
import { ApiError, call } from '#web/api.ts'
import { keeperKey, keeperList } from './keeper-queries.ts'
import { isSampleKeeper } from './samples/sample-keepers.ts'

/** An address that stands for one of one's own keepers, and there is none. */
export class NoKeeperYet extends ApiError {
  override name = 'NoKeeperYet'
  constructor() {
    super({ status: 404, statusText: 'Not Found' }, JSON.stringify({ error: 'Keeper not found' }))
  }
}

/** `id` as in the address: a sample's, `1`, `new-keeper-id`, or a keeper's own. Samples are never asked for. */
export function useKeeper(id: string) {
  return useQuery<Keeper>({
    queryKey: keeperKey(id),
    queryFn: async ({ signal, client }) => {
      if (isSampleKeeper(id)) return sampleKeeper(id)
      if (id === '1' || id === 'new-keeper-id') return ownKeeper(client, id)
      return call(keepers.show, { params: { id }, signal })
    },
    ...(isSampleKeeper(id) && { staleTime: Number.POSITIVE_INFINITY }),
  })
}

/** Only who looks at one fetches what the samples say. */
async function sampleKeeper(id: string): Promise<Keeper> {
  const { samples } = await import('./samples/sample-keeper.ts')
  return samples[id] as Keeper
}

/** Looked up in the list: who has no keeper yet has asked for nothing that is missing. */
async function ownKeeper(client: QueryClient, id: '1' | 'new-keeper-id'): Promise<Keeper> {
  const mine = await client.fetchQuery({ ...keeperList, staleTime: 1000 })
  const keeper = id === '1' ? mine[0] : (mine.findLast((each) => !isSample(each)) ?? mine.at(-1))
  if (!keeper) throw new NoKeeperYet()
  return keeper
}
