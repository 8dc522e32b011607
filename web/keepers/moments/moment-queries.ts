import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Journey, journeys } from '#contract/keepers/journeys.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { call } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { keeperKey } from '../keeper-queries.ts'

export interface MomentFilter {
  q?: string
  topic?: string
  mood?: number
  journeyId?: string
  from?: string
  to?: string
  /** A place, by the `spot` of the place list. */
  spot?: string
  withMedia?: 'true'
}

/** Newest first; `items` holds all loaded pages. */
export function useMoments(keeper: Keeper, filter: MomentFilter, enabled = true) {
  const momentsQuery = useInfiniteQuery({
    queryKey: keeperKey(keeper.id, 'moment', 'list', filter),
    enabled,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      call(moments.list, { params: { id: keeper.id }, query: { ...filter, cursor: pageParam }, signal }),
    getNextPageParam: (lastPage) => lastPage.next_cursor ?? undefined,
  })
  return { ...momentsQuery, items: removeDuplicates(momentsQuery.data?.pages.flatMap((page) => page.items) ?? []) }
}

// A moment that moved between two fetches can be on both pages.
function removeDuplicates(items: Moment[]): Moment[] {
  const seenIds = new Set<string>()
  return items.filter(({ id }) => !seenIds.has(id) && seenIds.add(id))
}

/** @throws ApiError 404, also for a moment of another keeper */
export const useMoment = (keeper: Keeper, id: string) =>
  useQuery({
    queryKey: keeperKey(keeper.id, 'moment', 'one', id),
    queryFn: ({ signal }) => call(moments.show, { params: { id }, signal }),
    retry: false,
  })

export const useMomentCalendar = (keeper: Keeper, from: string, to: string) =>
  useQuery({
    queryKey: keeperKey(keeper.id, 'moment', 'calendar', from, to),
    queryFn: ({ signal }) => call(moments.calendar, { params: { id: keeper.id }, query: { from, to }, signal }),
  })

/** Oldest first. */
export const useMomentYears = (keeper: Keeper) =>
  useQuery({
    queryKey: keeperKey(keeper.id, 'moment', 'years'),
    queryFn: ({ signal }) => call(moments.years, { params: { id: keeper.id }, signal }),
  })

/** Places in order of the first visit. */
export const useMomentPlaces = (keeper: Keeper) =>
  useQuery({
    queryKey: keeperKey(keeper.id, 'moment', 'places'),
    queryFn: ({ signal }) => call(moments.places, { params: { id: keeper.id }, signal }),
  })

export const useOnThisDay = (keeper: Keeper, date: string, enabled = true) =>
  useQuery({
    queryKey: keeperKey(keeper.id, 'moment', 'on-this-day', date),
    enabled,
    queryFn: ({ signal }) => call(moments.onThisDay, { params: { id: keeper.id }, query: { date }, signal }),
  })

export const useJourneyChoices = (keeper: Keeper, enabled: boolean) =>
  useQuery({
    queryKey: keeperKey(keeper.id, 'journey', 'choices'),
    enabled,
    queryFn: ({ signal }) => readAllPages<Journey>(journeys.list, { id: keeper.id }, signal),
  })

export function useInvalidateMoments(keeperId: string): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all(
      ['moment', 'topic', 'journey', 'dashboard'].map((keyPart) =>
        queryClient.invalidateQueries({ queryKey: keeperKey(keeperId, keyPart) }),
      ),
    )
  }
}
