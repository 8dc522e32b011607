import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { search } from '#contract/keepers/search.ts'
import { call } from '#web/api/api.ts'
import type { SearchFilter } from './search-filter.ts'

/** Empty without words. A hit that moved between two fetches can be on both pages, and is listed once. */
export function useSearch(filter: SearchFilter) {
  const query = useInfiniteQuery({
    queryKey: ['keepers', 'search', filter],
    enabled: filter.q !== '',
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => call(search.find, { query: { ...filter, cursor: pageParam }, signal }),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    networkMode: 'always',
    staleTime: 10_000,
  })
  const items = new Map((query.data?.pages ?? []).flatMap((page) => page.items.map((hit) => [hit.link + hit.id, hit])))
  return { ...query, items: [...items.values()], pending: query.data?.pages.at(-1)?.pending ?? 0 }
}
