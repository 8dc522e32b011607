import { useQuery } from '@tanstack/react-query'
import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { type SearchHit, search } from '#contract/keepers/search.ts'
import { toPlainText } from '#contract/plain-text.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { truncate } from '#contract/truncate.ts'
import { call, NetworkError } from '#web/api/api.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { getCurrentStore } from '#web/offline/local-store.ts'
import { useDebouncedText } from '#web/ui/hooks/use-debounced-text.ts'
import { searchTypeLabels } from '../search/search-filter.ts'
import type { PaletteEntry } from './rank-entries.ts'

export type PaletteHit = Pick<SearchHit, 'id' | 'type' | 'title' | 'excerpt' | 'place' | 'link'>

export const maxSearchLength = 100
export const typingPauseMs = 200
const maxHits = 12
const maxTitleLength = 120

/** One letter matches too much to be useful here, but in many scripts one character is a word. */
export const isSearchable = (text: string) => text.length > 1 || /[^\0-\x7f]/.test(text)

export const getSearchPath = (query: string) => `/search?q=${encodeURIComponent(query)}`

export interface KeeperSearch {
  entries: PaletteEntry[]
  searching: boolean
  failed: boolean
  /** The server can't be reached; only this browser's cache was searched. */
  isFromCache: boolean
  retry: () => void
}

/** Falls back to this browser's cache. Drops results for outdated text. */
export function useKeeperSearch(input: string): KeeperSearch {
  const searchText = truncate(input.trim(), maxSearchLength)
  const settledText = useDebouncedText(searchText, typingPauseMs)
  const canSearch = isSearchable(searchText)
  const query = useQuery({
    queryKey: [...keepersKey, 'find', settledText],
    queryFn: async ({ signal }) => {
      try {
        const { items } = await call(search.find, { query: { q: settledText, limit: maxHits }, signal })
        return { isFromCache: false, hits: items }
      } catch (reason) {
        if (!(reason instanceof NetworkError)) throw reason
        return { isFromCache: true, hits: await searchCachedReads(settledText) }
      }
    },
    enabled: canSearch && settledText === searchText,
    networkMode: 'always',
    staleTime: 10_000,
  })
  const isCurrent = canSearch && settledText === searchText
  const hits: PaletteHit[] = isCurrent ? (query.data?.hits ?? []) : []
  // Boards themselves are in a separate group.
  const isBoard = ({ type, title, place }: PaletteHit) => type === 'board' && title === place
  return {
    entries: [
      ...hits
        .filter((hit) => !isBoard(hit))
        .map(
          ({ id, type, title, excerpt, place, link }): PaletteEntry => ({
            id: `found ${type} ${id}`,
            group: 'In your keepers',
            title: title || truncate(excerpt.replace(/\s+/g, ' '), maxTitleLength),
            hint: [searchTypeLabels[type], place].filter(Boolean).join(' · '),
            isServerMatch: true,
            to: link,
          }),
        ),
      // After the hits, or this entry would be selected first.
      ...(isCurrent && !query.isPending
        ? [
            {
              id: 'all results',
              group: 'Search',
              title: `All results for “${searchText}”`,
              isLast: true,
              to: getSearchPath(searchText),
            } as const,
          ]
        : []),
    ],
    searching: canSearch && (settledText !== searchText || query.isFetching),
    failed: isCurrent && query.isError && !query.isFetching,
    isFromCache: isCurrent && query.data?.isFromCache === true,
    retry: () => void query.refetch(),
  }
}

const maxCachedResults = 12
const entityByPathSegment: Record<string, 'moment' | 'card' | 'journey' | 'topic' | 'logbook'> = {
  moments: 'moment',
  'memory-cards': 'card',
  journeys: 'journey',
  topics: 'topic',
  logbook: 'logbook',
}
const keeperListPattern = /^\/api\/keeper\/keepers\/([^/]+)\/([\w-]+)(?:\?|$)/

interface CachedEntry {
  id?: unknown
  keeperId?: unknown
  title?: unknown
  name?: unknown
  label?: unknown
  body?: unknown
  content?: unknown
}

export async function searchCachedReads(query: string): Promise<PaletteHit[]> {
  const reads = (await getCurrentStore()?.getAll<{ url: string; answer: unknown }>('reads')) ?? []
  const isMatch = createTextFilter(query)
  const results = new Map<string, PaletteHit>()
  for (const { url, answer } of reads) {
    const entity = entityByPathSegment[keeperListPattern.exec(url)?.[2] ?? '']
    if (!entity) continue
    for (const entry of extractEntries(answer)) {
      const { id, keeperId } = entry
      const texts = [entry.title, entry.name, entry.label, entry.body, entry.content].filter(
        (text): text is string => typeof text === 'string' && text !== '',
      )
      if (typeof id !== 'string' || typeof keeperId !== 'string' || !isMatch(...texts.map(toPlainText))) continue
      const hasTitle = [entry.title, entry.name, entry.label].includes(texts[0])
      const title = hasTitle ? (texts[0] ?? '').replace(/\s+/g, ' ') : toPlainText(texts[0] ?? '')
      results.set(id, {
        type: entity,
        id,
        title: title.slice(0, maxTitleLength).toWellFormed(),
        excerpt: '',
        place: 'Saved in this browser',
        link: getEntryPath({ entity, keeperId, id }),
      })
    }
  }
  return [...results.values()].slice(0, maxCachedResults)
}

function extractEntries(answer: unknown): CachedEntry[] {
  const data = (answer as { data?: unknown } | null)?.data ?? answer
  const list = Array.isArray(data) ? data : (data as { items?: unknown } | null)?.items
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'object' && entry !== null) : []
}
