import { queryOptions } from '@tanstack/react-query'
import { Unreachable } from '#web/api.ts'

/** `static`: the service is out of reach, and the examples of the specification are shown with its figures. */
export interface Registry<Entry> {
  from: 'server' | 'static'
  entries: Entry[]
}

const leastMs = 500

/** A list of what comes with Keeper and what people made; examples while the server is out of reach. */
export function registryQuery<Entry>(
  queryKey: readonly string[],
  load: (signal: AbortSignal) => Promise<Entry[]>,
  examples: Entry[],
) {
  return queryOptions({
    queryKey,
    async queryFn({ signal, client }): Promise<Registry<Entry>> {
      const first = client.getQueryData(queryKey) === undefined
      const least = first ? new Promise((done) => setTimeout(done, leastMs)) : undefined
      const [loaded] = await Promise.allSettled([load(signal), least])
      if (loaded.status === 'fulfilled') return { from: 'server', entries: loaded.value }
      if (loaded.reason instanceof Unreachable) return { from: 'static', entries: examples }
      throw loaded.reason
    },
    // Asked also offline, because then there is something to show; and again until the server is back.
    networkMode: 'always',
    refetchInterval: ({ state }) => (state.data?.from === 'static' ? 10_000 : false),
  })
}
