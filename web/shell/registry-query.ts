import { queryOptions } from '@tanstack/react-query'
import { Unreachable } from '#web/api.ts'

/** `static`: the server can't be reached, and examples are shown. */
export interface Registry<Entry> {
  from: 'server' | 'static'
  entries: Entry[]
}

const leastMs = 500

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
    // Runs offline too, to show the examples, and polls until the server is back.
    networkMode: 'always',
    refetchInterval: ({ state }) => (state.data?.from === 'static' ? 10_000 : false),
  })
}
