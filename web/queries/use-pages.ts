import { type QueryKey, type UseInfiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { dedupeById } from '#web/api/api-pages.ts'
import { useDeferredQuery } from './use-deferred-query.ts'

type Page<Item> = { items: Item[]; next_cursor: string | null } | { data?: Item[]; next_cursor?: string | null }

/** A list that is read page by page; `items` holds all loaded pages. */
export function usePages<Item extends { id: string }>(
  queryKey: QueryKey,
  load: (page: { cursor?: string }, signal: AbortSignal) => Promise<Page<Item>>,
  options: Pick<UseInfiniteQueryOptions, 'enabled' | 'retry' | 'placeholderData'> = {},
) {
  const result = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor, signal }) => load(cursor === undefined ? {} : { cursor }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    ...(options as object),
  })
  const { data, isPending } = useDeferredQuery(result)
  const pages = data?.pages ?? []
  return {
    ...result,
    data,
    isPending,
    hasNextPage: data !== undefined && result.hasNextPage,
    items: dedupeById(pages.flatMap((page) => ('items' in page ? page.items : (page.data ?? [])))),
  }
}
