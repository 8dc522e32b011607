import { queryOptions } from '@tanstack/react-query'
import { NetworkError } from '#web/api/api.ts'

/** `static`: the server can't be reached, and examples are shown. */
export interface Catalog<Entry> {
  source: 'server' | 'static'
  entries: Entry[]
}

const minLoadingMs = 500

export function catalogQuery<Entry>(
  queryKey: readonly string[],
  load: (signal: AbortSignal) => Promise<Entry[]>,
  examples: Entry[],
) {
  return queryOptions({
    queryKey,
    async queryFn({ signal, client }): Promise<Catalog<Entry>> {
      const isFirstLoad = client.getQueryData(queryKey) === undefined
      const minimumDelay = isFirstLoad ? new Promise((resolve) => setTimeout(resolve, minLoadingMs)) : undefined
      const [loadResult] = await Promise.allSettled([load(signal), minimumDelay])
      if (loadResult.status === 'fulfilled') return { source: 'server', entries: loadResult.value }
      if (loadResult.reason instanceof NetworkError) return { source: 'static', entries: examples }
      throw loadResult.reason
    },
    // Runs offline too, to show the examples, and polls until the server is back.
    networkMode: 'always',
    refetchInterval: ({ state }) => (state.data?.source === 'static' ? 10_000 : false),
  })
}
