import { createContext, use } from 'react'
import type { Bead, Journey, Path, Waypoint } from '#contract/keepers/journeys.ts'
import { localDay } from '#web/ui/days.ts'

/** The replay day (YYYY-MM-DD) of a journey board; null shows everything. */
export const JourneyTime = createContext<string | null>(null)

export const useLivedUntil = () => use(JourneyTime)

export interface JourneyToPlay extends Journey {
  paths: Path[]
  beads: Bead[]
}

/** Moments up to a day, or all for null. */
export function livedBy<M extends { localDate: string }>(moments: readonly M[], until: string | null): M[] {
  return moments.filter(({ localDate }) => until === null || localDate <= until)
}

/** The journey as it was at the end of a day. */
export function journeyUntil<J extends JourneyToPlay>(journey: J, until: string | null): J {
  if (until === null) return journey
  const beads = livedBy(journey.beads, until)
  const later = new Set(journey.beads.filter(({ localDate }) => localDate > until).map(({ id }) => id))
  const paths = journey.paths.map((path) => ({
    ...path,
    waypoints: path.waypoints.map((waypoint) => waypointUntil(waypoint, until, later)),
  }))
  const open = paths.filter(({ state }) => state !== 'not_taken').flatMap(({ waypoints }) => waypoints)
  const isCompleted = journey.completedAt !== null && localDay(journey.completedAt) <= until
  return {
    ...journey,
    beads,
    paths,
    ...(isCompleted ? {} : { status: statusUntil(journey, until), completedAt: null }),
    _count: {
      ...journey._count,
      WaypointDone: open.filter(({ doneAt }) => doneAt !== null).length,
      Moment: beads.length,
    },
  }
}

function waypointUntil(waypoint: Waypoint, until: string, later: ReadonlySet<string>): Waypoint {
  const isReached = waypoint.doneAt !== null && localDay(waypoint.doneAt) <= until
  return {
    ...waypoint,
    doneAt: isReached ? waypoint.doneAt : null,
    momentIds: waypoint.momentIds.filter((id) => !later.has(id)),
  }
}

function statusUntil({ status, startedOn, completedAt }: Journey, until: string): Journey['status'] {
  if (startedOn !== null && startedOn > until) return 'planned'
  return completedAt === null ? status : 'active'
}

/** Fills fields that aren't shared with readers with placeholders. */
export function wholeJourney(
  known: Pick<JourneyToPlay, 'id' | 'title' | 'purpose' | 'status' | 'color' | 'paths' | 'beads'> & Partial<Journey>,
): JourneyToPlay {
  const at = known.beads[0]?.occurredAt ?? new Date().toISOString()
  return {
    keeperId: '',
    createdAt: at,
    updatedAt: at,
    rev: 0,
    startedOn: null,
    endsOn: null,
    completedAt: null,
    aiVisible: true,
    _count: { Path: 0, Waypoint: 0, WaypointDone: 0, Moment: 0 },
    ...known,
  }
}
