import { useQuery } from '@tanstack/react-query'
import { type Journey, journeys, type Path } from '#contract/keepers/journeys.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { type CallResult, call } from '#web/api/api.ts'
import { dedupeById, readAllPages, readPages } from '#web/api/api-pages.ts'
import { keeperKey } from '../keeper-queries.ts'

/** A journey with its paths and moments. */
export type JourneyDetails = CallResult<typeof journeys.show>

export const useJourneys = (keeper: Keeper) =>
  useQuery<Journey[]>({
    queryKey: keeperKey(keeper.id, 'journey', 'list'),
    queryFn: ({ signal }) => readAllPages<Journey>(journeys.list, { id: keeper.id }, signal),
  })

export const toJourneyOptions = (allJourneys: readonly Journey[]) => [
  { value: '', label: allJourneys.length === 0 ? 'No journeys yet' : 'No journey' },
  ...allJourneys.map(({ id, title }) => ({ value: id, label: title })),
]

/** `isDeleting` stops fetching a journey that is about to be deleted. */
export const useJourney = (keeper: Keeper, id: string, isDeleting: boolean) =>
  useQuery<JourneyDetails>({
    enabled: !isDeleting,
    queryKey: keeperKey(keeper.id, 'journey', id),
    queryFn: ({ signal }) => readJourneyDetails(id, signal),
  })

/** Reads all pages of a journey's paths and moments, oldest moment first. */
export async function readJourneyDetails(id: string, signal?: AbortSignal): Promise<JourneyDetails> {
  const pages = await readPages<JourneyDetails>(journeys.show, { id }, signal)
  const firstPage = pages[0] as JourneyDetails
  const paths = firstPage.paths_cursor ? await readAllPages<Path>(journeys.paths, { id }, signal) : firstPage.paths
  return {
    ...firstPage,
    paths,
    paths_cursor: null,
    beads: dedupeById(pages.toReversed().flatMap(({ beads: points }) => points)),
  }
}

const maxAttachableMoments = 50

/** A hint below the list of moments when older ones exist. */
export function getOlderMomentsHint(visibleCount: number | undefined, q: string): string | undefined {
  if (visibleCount !== maxAttachableMoments) return undefined
  return q === ''
    ? `Showing the newest ${maxAttachableMoments}. Search to find older moments.`
    : `Showing the newest ${maxAttachableMoments} with these words. Add a word to find older moments.`
}

/** The newest moments that match `q`, to attach to a waypoint. */
export const useAttachableMoments = (keeper: Keeper, q: string) =>
  useQuery({
    queryKey: keeperKey(keeper.id, 'moment', 'attachable', q),
    queryFn: async ({ signal }) => {
      const query = { limit: maxAttachableMoments, ...(q !== '' && { q }) }
      return (await call(moments.list, { params: { id: keeper.id }, query, signal })).items
    },
  })

export const getJourneyPagePath = (id: string) => `?journey=${encodeURIComponent(id)}`
export const getStoryPath = (id: string) => `${getJourneyPagePath(id)}&view=story`

/** Opens the calendar on the moment's local day. */
export const getMomentPath = (keeperId: string, { id, localDate }: { id: string; localDate: string }) =>
  `/keeper/${encodeURIComponent(keeperId)}/moments?view=calendar&day=${localDate}&moment=${encodeURIComponent(id)}`
export const getClosingReflectionPath = (keeperId: string, reflectionId: string) =>
  `/keeper/${encodeURIComponent(keeperId)}/reflection-journal?tab=write&reflection=${encodeURIComponent(reflectionId)}`

/** The board of a journey; without an id, the sample board. */
export const getJourneyBoardPath = (id: string | undefined) =>
  `/studio/journey-board${id === undefined ? '' : `?journeyId=${encodeURIComponent(id)}`}`
