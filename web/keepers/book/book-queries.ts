import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { book } from '#contract/keepers/book.ts'
import { call } from '#web/api/api.ts'
import { keeperKey } from '../keeper-queries.ts'

export interface BookSpan {
  from?: string
  to?: string
}

/** Every entry is on the page at once, so a book on paper is shorter than an EPUB. */
export const maxPrintedEntries = 2000

export const useBookOutline = (keeperId: string, span: BookSpan) =>
  useQuery({
    queryKey: keeperKey(keeperId, 'book', 'outline', span),
    queryFn: ({ signal }) => call(book.outline, { params: { id: keeperId }, query: span, signal }),
  })

/** Loads page after page. */
export function useBookEntries(keeperId: string, span: BookSpan) {
  const query = useInfiniteQuery({
    queryKey: keeperKey(keeperId, 'book', 'entries', span),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(book.entries, { params: { id: keeperId }, query: { ...span, cursor: pageParam }, signal }),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  })
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  const shouldContinue = hasNextPage && !isFetching && !isError
  useEffect(() => {
    if (shouldContinue) void fetchNextPage()
  }, [shouldContinue, fetchNextPage])
  return { ...query, entries: query.data?.pages.flatMap(({ items }) => items) ?? [] }
}
