import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { entryVersion } from '#contract/keepers/entries.ts'

export type EarlierState = z.infer<typeof entryVersion>
export interface EarlierStates {
  data?: EarlierState[] | undefined
  next_cursor?: string | null | undefined
}

export function useEarlierStates(
  queryKey: QueryKey,
  load: (cursor: string | null, signal: AbortSignal) => Promise<EarlierStates>,
  enabled = true,
) {
  const query = useInfiniteQuery({
    queryKey,
    enabled,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
  return { ...query, states: query.data?.pages.flatMap(({ data = [] }) => data) }
}
