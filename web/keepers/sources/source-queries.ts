import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Source, type SourceSummary, sources } from '#contract/keepers/sources.ts'
import { call, callEnvelope } from '#web/api/api.ts'
import { dedupeById } from '#web/api/api-pages.ts'
import { keeperKey } from '../keeper-queries.ts'

interface SourcePage {
  data?: SourceSummary[]
  next_cursor?: string | null
}

/** Newest first; `items` holds all loaded pages. */
export function useSources(keeper: Keeper, q: string) {
  const query = useInfiniteQuery({
    queryKey: keeperKey(keeper.id, 'source', 'list', q),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }): Promise<SourcePage> =>
      callEnvelope(sources.list, {
        params: { id: keeper.id },
        query: { ...(q && { q }), ...(cursor && { cursor }) },
        signal,
      }),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  })
  return { ...query, items: dedupeById(query.data?.pages.flatMap((page) => page.data ?? []) ?? []) }
}

/** While it is being deleted, it isn't fetched again. @throws ApiError 404, also for a source of another keeper */
export const useOneSource = (keeper: Keeper, id: string, isDeleting: boolean) =>
  useQuery<Source>({
    enabled: !isDeleting,
    queryKey: keeperKey(keeper.id, 'source', 'one', id),
    queryFn: ({ signal }) => call(sources.show, { params: { id }, signal }),
    retry: false,
  })
