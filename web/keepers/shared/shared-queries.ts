import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type SharedLogbookEntry, type SharedMoment, sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { ApiError, type CallResult, call } from '#web/api/api.ts'
import { dedupeById, readAllPages } from '#web/api/api-pages.ts'
import { useMyDomains } from '#web/queries/use-my-domains.ts'
import { usePages } from '#web/queries/use-pages.ts'

export type SharedJourneyData = CallResult<typeof sharingInDomains.journey>

/** A change to a domain, its members or its shares invalidates everything under `['shared']`. */
const sharedKey = (domainId: string, ...keyParts: readonly string[]) => ['shared', domainId, ...keyParts] as const

/** Covers items that are deleted, unshared or inaccessible. */
export const isUnavailableError = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.status === 403)

export const useShares = (keeperId: string, enabled = true) =>
  useQuery({
    queryKey: ['shared', 'of', keeperId],
    enabled,
    queryFn: ({ signal }) => call(sharingInDomains.sharesOfKeeper, { params: { id: keeperId }, signal }),
  })

export const useSharedInDomain = (domainId: string) =>
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

export const useSharedMoments = (domainId: string, keeperId: string) =>
  usePages<SharedMoment>(
    sharedKey(domainId, 'keeper', keeperId, 'moments'),
    (page, signal) => call(sharingInDomains.moments, { params: { id: domainId, keeperId }, query: page, signal }),
    { retry: false },
  )

export const useSharedLogbook = (domainId: string, keeperId: string) =>
  useQuery({
    queryKey: sharedKey(domainId, 'keeper', keeperId, 'logbook'),
    queryFn: ({ signal }) =>
      readAllPages<SharedLogbookEntry>(sharingInDomains.logbook, { id: domainId, keeperId }, signal),
    retry: false,
  })

/** A page of a journey's moments; the first page has all paths. */
export async function readSharedJourney(
  domainId: string,
  journeyId: string,
  cursor?: string,
  signal?: AbortSignal,
): Promise<SharedJourneyData> {
  const fetchPage = (query: { cursor?: string | undefined; pathsCursor?: string; limit?: number }) =>
    call(sharingInDomains.journey, { params: { id: domainId, journeyId }, query, ...(signal && { signal }) })
  const journey = await fetchPage({ cursor })
  const paths = [...journey.paths]
  let pathsCursor = cursor ? null : journey.paths_cursor
  while (pathsCursor !== null) {
    const nextPage = await fetchPage({ pathsCursor, limit: 1 })
    paths.push(...nextPage.paths)
    pathsCursor = nextPage.paths_cursor
  }
  return { ...journey, paths: dedupeById(paths) }
}

export function useSharedJourney(domainId: string, journeyId: string) {
  const query = useInfiniteQuery({
    queryKey: sharedKey(domainId, 'journey', journeyId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readSharedJourney(domainId, journeyId, pageParam, signal),
    getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined,
    retry: false,
  })
  const pages = query.data?.pages ?? []
  const journeyPoints = dedupeById(pages.toReversed().flatMap(({ beads: points }) => points))
  return {
    ...query,
    journey: pages[0] && { ...pages[0], beads: journeyPoints },
    hasEarlierPoints: Boolean(pages.at(-1)?.beads_cursor),
    items: dedupeById(pages.flatMap((page) => page.moments)),
  }
}

/** Undefined while it loads, because a longer name would move the page. */
export function useDomainName(domainId: string): string | undefined {
  const { data, isPending } = useMyDomains()
  return isPending ? undefined : (data?.find(({ id }) => id === domainId)?.name ?? 'this domain')
}

export const getSharedDomainPath = (domainId: string) => `/root/domain/${encodeURIComponent(domainId)}`
export const getSharedKeeperPath = (domainId: string, keeperId: string) =>
  `${getSharedDomainPath(domainId)}/keepers/${encodeURIComponent(keeperId)}`
export const getSharedJourneyPagePath = (domainId: string, journeyId: string) =>
  `${getSharedDomainPath(domainId)}/journeys/${encodeURIComponent(journeyId)}`
