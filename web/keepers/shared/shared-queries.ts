import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type SharedLogbookEntry, sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { type Answer, ApiError, call } from '#web/api.ts'
import { once, readAllPages } from '#web/api-pages.ts'

export type SharedJourneyPage = Answer<typeof sharingInDomains.journey>

/** Everything under `['shared']` is asked for again when a domain, its members or what is shared in it changed. */
const sharedKey = (domainId: string, ...rest: readonly string[]) => ['shared', domainId, ...rest] as const

/** Not yours, not there, or not any more: said calmly, whatever stood there before. */
export const isGone = (error: unknown) => error instanceof ApiError && (error.status === 404 || error.status === 403)

/** The domains a keeper of one's own, and its journeys, are given to. */
export const useShares = (keeperId: string, enabled = true) =>
  useQuery({
    queryKey: ['shared', 'of', keeperId],
    enabled,
    queryFn: ({ signal }) => call(sharingInDomains.sharesOfKeeper, { params: { id: keeperId }, signal }),
  })

export const useSharedIn = (domainId: string) =>
  useQuery({
    queryKey: sharedKey(domainId, 'list'),
    queryFn: ({ signal }) => call(sharingInDomains.list, { params: { id: domainId }, signal }),
    retry: false,
  })

export const useSharedKeeper = (domainId: string, keeperId: string) =>
  useQuery({
    queryKey: sharedKey(domainId, 'keeper', keeperId),
    queryFn: ({ signal }) => call(sharingInDomains.keeper, { params: { id: domainId, keeperId }, signal }),
    retry: false,
  })

export function useSharedMoments(domainId: string, keeperId: string) {
  const found = useInfiniteQuery({
    queryKey: sharedKey(domainId, 'keeper', keeperId, 'moments'),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(sharingInDomains.moments, { params: { id: domainId, keeperId }, query: { cursor: pageParam }, signal }),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    retry: false,
  })
  return { ...found, items: once(found.data?.pages.flatMap((page) => page.items) ?? []) }
}

export const useSharedLogbook = (domainId: string, keeperId: string) =>
  useQuery({
    queryKey: sharedKey(domainId, 'keeper', keeperId, 'logbook'),
    queryFn: ({ signal }) =>
      readAllPages<SharedLogbookEntry>(sharingInDomains.logbook, { id: domainId, keeperId }, signal),
    retry: false,
  })

/** A page of a journey's moments and beads; the first has all its paths. */
export async function readSharedJourney(
  domainId: string,
  journeyId: string,
  cursor?: string,
  signal?: AbortSignal,
): Promise<SharedJourneyPage> {
  const ask = (query: { cursor?: string | undefined; pathsCursor?: string; limit?: number }) =>
    call(sharingInDomains.journey, { params: { id: domainId, journeyId }, query, ...(signal && { signal }) })
  const journey = await ask({ cursor })
  const paths = [...journey.paths]
  for (let pathsCursor = cursor ? null : journey.paths_cursor; pathsCursor !== null; ) {
    const next = await ask({ pathsCursor, limit: 1 })
    paths.push(...next.paths)
    pathsCursor = next.paths_cursor
  }
  return { ...journey, paths: once(paths) }
}

/** A journey, with its moments page after page; each page brings the beads before it. */
export function useSharedJourney(domainId: string, journeyId: string) {
  const found = useInfiniteQuery({
    queryKey: sharedKey(domainId, 'journey', journeyId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readSharedJourney(domainId, journeyId, pageParam, signal),
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    retry: false,
  })
  const pages = found.data?.pages ?? []
  const beads = once(pages.toReversed().flatMap((page) => page.beads))
  return {
    ...found,
    journey: pages[0] && { ...pages[0], beads },
    hasEarlierBeads: Boolean(pages.at(-1)?.beads_cursor),
    items: once(pages.flatMap((page) => page.moments)),
  }
}
