import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { type Moment, moments } from '#contract/keepers/moments.ts'
import { call } from '#web/api/api.ts'
import { usePages } from '#web/queries/use-pages.ts'
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
export const useMoments = (keeper: Keeper, filter: MomentFilter) =>
  usePages<Moment>(keeperKey(keeper.id, 'moment', 'list', filter), (page, signal) =>
    call(moments.list, { params: { id: keeper.id }, query: { ...filter, ...page }, signal }),
  )

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

/** Shows a new moment at the top of the loaded list without waiting for the refetch. */
export function useShowSavedMoment(keeperId: string): (moment: Moment) => void {
  const queryClient = useQueryClient()
  const invalidateMoments = useInvalidateMoments(keeperId)
  return (moment) => {
    queryClient.setQueryData<InfiniteData<{ items: Moment[] }>>(keeperKey(keeperId, 'moment', 'list', {}), (list) => {
      const [firstPage, ...otherPages] = list?.pages ?? []
      const newest = firstPage?.items[0]
      if (!list || !firstPage || (newest && newest.occurredAt > moment.occurredAt)) return list
      return { ...list, pages: [{ ...firstPage, items: [moment, ...firstPage.items] }, ...otherPages] }
    })
    void invalidateMoments()
  }
}

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
