import { createContext, use } from 'react'
import type { Journey, JourneyPoint, Path, Waypoint } from '#contract/keepers/journeys.ts'
import { toLocalDay } from '#web/ui/text/days.ts'

/** The replay day (YYYY-MM-DD) of a journey board; null shows everything. */
export const JourneyReplayContext = createContext<string | null>(null)

export const useReplayDay = () => use(JourneyReplayContext)

export interface ReplayableJourney extends Journey {
  paths: Path[]
  beads: JourneyPoint[]
}

/** Moments up to a day, or all for null. */
export function filterUntil<M extends { localDate: string }>(moments: readonly M[], until: string | null): M[] {
  return moments.filter(({ localDate }) => until === null || localDate <= until)
}

/** The journey as it was at the end of a day. */
export function getJourneyUntil<J extends ReplayableJourney>(journey: J, until: string | null): J {
  if (until === null) return journey
  const points = filterUntil(journey.beads, until)
  const laterPointIds = new Set(journey.beads.filter(({ localDate }) => localDate > until).map(({ id }) => id))
  const paths = journey.paths.map((path) => ({
    ...path,
    waypoints: path.waypoints.map((waypoint) => getWaypointUntil(waypoint, until, laterPointIds)),
  }))
  const takenWaypoints = paths.filter(({ state }) => state !== 'not_taken').flatMap(({ waypoints }) => waypoints)
  const isCompleted = journey.completedAt !== null && toLocalDay(journey.completedAt) <= until
  return {
    ...journey,
    beads: points,
    paths,
    ...(isCompleted ? {} : { status: getStatusUntil(journey, until), completedAt: null }),
    _count: {
      ...journey._count,
      WaypointDone: takenWaypoints.filter(({ doneAt }) => doneAt !== null).length,
      Moment: points.length,
    },
  }
}

function getWaypointUntil(waypoint: Waypoint, until: string, laterPointIds: ReadonlySet<string>): Waypoint {
  const isReached = waypoint.doneAt !== null && toLocalDay(waypoint.doneAt) <= until
  return {
    ...waypoint,
    doneAt: isReached ? waypoint.doneAt : null,
    momentIds: waypoint.momentIds.filter((id) => !laterPointIds.has(id)),
  }
}

function getStatusUntil({ status, startedOn, completedAt }: Journey, until: string): Journey['status'] {
  if (startedOn !== null && startedOn > until) return 'planned'
  return completedAt === null ? status : 'active'
}

/** Fills fields that aren't shared with readers with placeholders. */
export function fillJourney(
  partialJourney: Pick<ReplayableJourney, 'id' | 'title' | 'purpose' | 'status' | 'color' | 'paths' | 'beads'> &
    Partial<Journey>,
): ReplayableJourney {
  const now = partialJourney.beads[0]?.occurredAt ?? new Date().toISOString()
  return {
    keeperId: '',
    createdAt: now,
    updatedAt: now,
    rev: 0,
    startedOn: null,
    endsOn: null,
    completedAt: null,
    aiVisible: true,
    _count: { Path: 0, Waypoint: 0, WaypointDone: 0, Moment: 0 },
    ...partialJourney,
  }
}
