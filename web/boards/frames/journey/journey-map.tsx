import { useQuery } from '@tanstack/react-query'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { moments } from '#contract/keepers/moments.ts'
import { call, isNotFound } from '#web/api/api.ts'
import { getPigmentInk } from '#web/keepers/pigments.ts'
import { PlaceSketch } from '#web/keepers/places/place-sketch.tsx'
import { collectPlaces, type PlacedMoment, type PlaceVisits } from '#web/keepers/places/places.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { filterUntil, useReplayDay } from '../../entity/journey/journey-time.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { FrameQuery } from '../frame-query.tsx'
import { type FrameJourney, WithJourney } from './with-journey.tsx'

const mapSize = { width: 320, height: 190, margin: 34 }
const maxPages = 10
const pageSize = 100
const maxSingleRequests = 50

const samplePlacedMoments: PlacedMoment[] = [
  { id: 'sample-bead-1', localDate: '2026-03-08', place: { name: 'The yard', lat: 60.392, lng: 5.31 } },
  { id: 'sample-bead-2', localDate: '2026-04-19', place: { name: 'The slip', lat: 60.401, lng: 5.322 } },
  { id: 'sample-bead-3', localDate: '2026-05-03', place: { name: 'Skerry bay', lat: 60.426, lng: 5.245 } },
]

/** Draws the places of a journey relative to each other, without a map service. */
export function JourneyMapFrame(props: FrameBodyProps) {
  return <WithJourney {...props}>{(resolvedJourney) => <JourneyPlaces {...resolvedJourney} />}</WithJourney>
}

function JourneyPlaces({ journey, source }: FrameJourney) {
  const { beads: points } = journey
  const until = useReplayDay()
  const query = useQuery({
    queryKey: ['keeper', 'on-board', 'places', journey.id, source, points.map(({ id }) => id).join(' ')],
    queryFn: ({ signal }) => loadPlacedMoments({ journey, source }, signal),
  })
  return (
    <FrameQuery query={query} entityName="journey">
      {({ placedMoments, isComplete }) => (
        <Sketch
          moments={filterUntil(placedMoments, until)}
          isComplete={isComplete}
          ink={getPigmentInk(journey.color)}
        />
      )}
    </FrameQuery>
  )
}

interface PlacedMoments {
  placedMoments: PlacedMoment[]
  /** Whether all moments are included. */
  isComplete: boolean
}

async function loadPlacedMoments({ journey, source }: FrameJourney, signal: AbortSignal): Promise<PlacedMoments> {
  if (source.kind === 'sample') return { placedMoments: samplePlacedMoments, isComplete: true }
  const listedMoments: PlacedMoment[] = []
  let cursor: string | undefined
  let isComplete = false
  for (let pageIndex = 0; pageIndex < maxPages; pageIndex++) {
    const nextPage =
      source.kind === 'own'
        ? await call(moments.list, {
            params: { id: source.keeperId },
            query: { journeyId: journey.id, limit: pageSize, cursor },
            signal,
          })
        : await call(sharingInDomains.journey, {
            params: { id: source.domainId, journeyId: journey.id },
            query: { limit: pageSize, cursor },
            signal,
          }).then(({ moments: items, next_cursor }) => ({ items, next_cursor }))
    listedMoments.push(...nextPage.items)
    isComplete = nextPage.next_cursor === null
    if (nextPage.next_cursor === null) break
    cursor = nextPage.next_cursor
  }
  if (source.kind !== 'own') return { placedMoments: listedMoments, isComplete }
  // Moments that are only attached to a waypoint aren't in the journey's list.
  const listedIds = new Set(listedMoments.map(({ id }) => id))
  const { beads: points } = journey
  const attachedPoints = points.filter(({ id, waypointId }) => waypointId !== null && !listedIds.has(id))
  const attachedMoments = await Promise.all(
    attachedPoints.slice(-maxSingleRequests).map(({ id }) => loadMomentIfExists(id, signal)),
  )
  return {
    placedMoments: [...listedMoments, ...attachedMoments.filter((moment) => moment !== undefined)],
    isComplete: isComplete && attachedPoints.length <= maxSingleRequests,
  }
}

async function loadMomentIfExists(id: string, signal: AbortSignal): Promise<PlacedMoment | undefined> {
  try {
    return await call(moments.show, { params: { id }, signal })
  } catch (reason) {
    if (isNotFound(reason)) return undefined
    throw reason
  }
}

interface SketchProps extends Pick<PlacedMoments, 'isComplete'> {
  moments: readonly PlacedMoment[]
  ink: string
}

function Sketch({ moments: placedMoments, isComplete, ink }: SketchProps) {
  const { located, unlocated } = collectPlaces(placedMoments)
  if (located.length === 0 && unlocated.length === 0)
    return (
      <FrameNote>
        {isComplete
          ? 'No moments on this journey have a place yet.'
          : 'None of this journey’s newest moments have a place.'}
      </FrameNote>
    )
  return (
    <div className="@container flex flex-col">
      {located.length > 0 && <PlaceSketch places={located} sheet={mapSize} ink={ink} isRoute />}
      <div className="grid grid-cols-1 gap-x-6 px-3.5 py-2 @min-[480px]:grid-cols-2">
        {located.length > 0 && (
          <ol aria-label="Places in order of first visit">
            {located.map((place, index) => (
              <li key={`${place.lat} ${place.lng}`} className="flex gap-2.5 border-b border-hairline py-1.5 text-ui">
                <span className="w-5 shrink-0 text-end text-muted-foreground tabular-nums">{index + 1}</span>
                <PlaceLabel place={place} />
              </li>
            ))}
          </ol>
        )}
        {unlocated.length > 0 && (
          <section aria-label="Places without coordinates">
            <h4 className="mt-1.5 text-small font-label text-muted-foreground">Without coordinates</h4>
            <ul>
              {unlocated.map((place) => (
                <li key={place.name} className="border-b border-hairline py-1.5 text-ui">
                  <PlaceLabel place={place} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {!isComplete && (
        <p className="px-3.5 pb-2 text-small text-muted-foreground">
          This journey has too many moments to show all their places. Only those of the newest moments appear.
        </p>
      )}
    </div>
  )
}

function PlaceLabel({ place: { name, moments: count } }: { place: PlaceVisits }) {
  return (
    <span className="min-w-0 wrap-anywhere">
      {name}
      <span className="text-small text-muted-foreground">{`, ${pluralize(count, 'moment')}`}</span>
    </span>
  )
}
