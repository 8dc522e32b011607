import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SoleVersion } from '#contract/keepers/sole.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { keeperKey, keepersKey } from '../keeper-queries.ts'
import { createServerSole, type SoleBackend, type SoleVersionPage } from './sole-backend.ts'

export interface Sole {
  keeperId: string
  demo: boolean
  backend: SoleBackend
  /** Newest first; loaded at least down to the active one. */
  versions: SoleVersion[]
  draft: SoleVersion | undefined
  active: SoleVersion | undefined
  hasMore: boolean
  showMore: () => void
  isLoadingMore: boolean
  isLoadMoreError: boolean
  refresh: () => Promise<unknown>
}

export function useSole(keeperId: string) {
  const demo = isDemoKeeper(keeperId)
  const backend = useMemo(() => createServerSole(keeperId), [keeperId])
  const queryClient = useQueryClient()
  const { data, error, isPending, refetch, isRefetching, ...more } = useInfiniteQuery({
    queryKey: keeperKey(keeperId, 'sole', 'versions'),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      pageParam === null ? readUntilActive(backend, signal) : backend.fetchVersions(pageParam, signal),
    getNextPageParam: ({ next }) => next,
    // Returning to a demo keeper resets it.
    ...(demo && { gcTime: 0, staleTime: 0 }),
  })
  const versions = data?.pages.flatMap((page) => page.versions) ?? []
  const sole: Sole = {
    keeperId,
    demo,
    backend,
    versions,
    draft: versions.find(({ status }) => status === 'draft'),
    active: versions.find(({ status }) => status === 'active'),
    hasMore: more.hasNextPage,
    showMore: () => void more.fetchNextPage(),
    isLoadingMore: more.isFetchingNextPage,
    isLoadMoreError: more.isFetchNextPageError,
    refresh: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: keeperKey(keeperId) }),
        queryClient.invalidateQueries({ queryKey: keepersKey }),
      ]),
  }
  return { sole, error, isPending, refetch, isRefetching, isLoaded: data !== undefined }
}

/** The active version must be visible however many drafts were rejected since. */
async function readUntilActive(backend: SoleBackend, signal: AbortSignal): Promise<SoleVersionPage> {
  let { versions, next } = await backend.fetchVersions(null, signal)
  while (next !== null && !versions.some(({ status }) => status === 'active')) {
    const earlierPage = await backend.fetchVersions(next, signal)
    versions = [...versions, ...earlierPage.versions]
    next = earlierPage.next
  }
  return { versions, next }
}
