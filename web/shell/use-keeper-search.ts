import { useQuery } from '@tanstack/react-query'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { dashboards } from '#contract/keepers/dashboard.ts'
import { truncate } from '#contract/truncate.ts'
import { call, NetworkError } from '#web/api.ts'
import { getEntryAddress } from '#web/keepers/keeper-addresses.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { useDebouncedText } from '#web/ui/use-debounced-text.ts'
import type { PaletteEntry } from './rank-entries.ts'
import { searchCachedReads } from './search-cached-reads.ts'

export type KeeperSearchMatch = EndpointOutput<typeof dashboards.find>[number]

export const minSearchLength = 2
export const maxSearchLength = 100
export const typingPauseMs = 200

const kindLabels: Partial<Record<KeeperSearchMatch['entity'], string>> = {
  card: 'Memory card',
  moment: 'Moment',
  journey: 'Journey',
  topic: 'Topic',
  voice: 'Voice entry',
  logbook: 'Logbook entry',
}

export interface KeeperSearch {
  entries: PaletteEntry[]
  searching: boolean
  failed: boolean
  /** The server can't be reached; only this browser's cache was searched. */
  isFromCache: boolean
  retry: () => void
}

/** Falls back to this browser's cache. Drops results for outdated text, and keepers, which the palette has. */
export function useKeeperSearch(typed: string): KeeperSearch {
  const searchText = truncate(typed.trim(), maxSearchLength)
  const q = useDebouncedText(searchText, typingPauseMs)
  const isSearchable = searchText.length >= minSearchLength
  const query = useQuery({
    queryKey: [...keepersKey, 'find', q],
    queryFn: async ({ signal }) => {
      try {
        return { kept: false, found: await call(dashboards.find, { query: { q }, signal }) }
      } catch (reason) {
        if (!(reason instanceof NetworkError)) throw reason
        return { kept: true, found: await searchCachedReads(q) }
      }
    },
    enabled: isSearchable && q === searchText,
    networkMode: 'always',
    staleTime: 10_000,
  })
  const isCurrent = isSearchable && q === searchText
  const matches = isCurrent ? (query.data?.found ?? []) : []
  return {
    entries: matches.flatMap((match): PaletteEntry[] =>
      match.entity === 'keeper'
        ? []
        : [
            {
              id: `found ${match.id}`,
              group: 'In your keepers',
              title: match.title,
              hint: [kindLabels[match.entity], match.hint].filter(Boolean).join(' · '),
              found: true,
              to: getEntryAddress(match),
            },
          ],
    ),
    searching: isSearchable && (q !== searchText || query.isFetching),
    failed: isCurrent && query.isError && !query.isFetching,
    isFromCache: isCurrent && query.data?.kept === true,
    retry: () => void query.refetch(),
  }
}
