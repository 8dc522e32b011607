import { createContext, use } from 'react'
import { compareStrings } from '#contract/compare-strings.ts'
import type { Journey, JourneyPoint, Path, Waypoint } from '#contract/keepers/journeys.ts'
import { addDays, countDaysBetween, toLocalDay } from '#web/ui/text/days.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'

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
  const timestamp = partialJourney.beads[0]?.occurredAt ?? new Date().toISOString()
  return {
    keeperId: '',
    createdAt: timestamp,
    updatedAt: timestamp,
    rev: 0,
    startedOn: null,
    endsOn: null,
    completedAt: null,
    aiVisible: true,
    _count: { Path: 0, Waypoint: 0, WaypointDone: 0, Moment: 0 },
    ...partialJourney,
  }
}

export interface TimelineStop {
  /** YYYY-MM-DD. */
  day: string
  /** Days since the first day. */
  position: number
  momentCount: number
  /** Waypoints reached on this day, except those of paths not taken. */
  reachedTitles: string[]
}

export interface JourneyTimeline {
  firstDay: string
  lastDay: string
  /** Days from first to last; 0 for a single day. */
  length: number
  /** In order; always includes the first day. */
  stops: TimelineStop[]
  /** In total, except those of paths not taken. */
  waypointCount: number
}

/** The timeline spans from the start or first moment to the completion or today. */
export function createTimeline(journey: ReplayableJourney, today: string): JourneyTimeline {
  const stopsByDay = new Map<string, Omit<TimelineStop, 'position'>>()
  const getStop = (day: string) => {
    const stop = stopsByDay.get(day) ?? { day, momentCount: 0, reachedTitles: [] }
    stopsByDay.set(day, stop)
    return stop
  }
  for (const { localDate } of journey.beads) getStop(localDate).momentCount++
  let waypointCount = 0
  for (const { state, waypoints } of journey.paths) {
    if (state !== 'not_taken') waypointCount += waypoints.length
    for (const { doneAt, title } of waypoints) {
      if (doneAt === null) continue
      const { reachedTitles } = getStop(toLocalDay(doneAt))
      if (state !== 'not_taken') reachedTitles.push(title)
    }
  }
  const days = [...stopsByDay.keys()].sort()
  const startDay = [journey.startedOn, days[0]].filter((day) => day !== null && day !== undefined).sort()[0]
  const endDay = journey.completedAt === null ? today : toLocalDay(journey.completedAt)
  const firstDay = startDay ?? toLocalDay(journey.createdAt)
  const lastDay = [firstDay, endDay, ...days.slice(-1)].sort().at(-1) ?? firstDay
  getStop(firstDay)
  const stops = [...stopsByDay.values()]
    .sort((a, b) => compareStrings(a.day, b.day))
    .map((stop) => ({ ...stop, position: countDaysBetween(firstDay, stop.day) }))
  return { firstDay, lastDay, length: countDaysBetween(firstDay, lastDay), stops, waypointCount }
}

/** The day at a position; null at the end, which can grow. */
export function getDayAt({ firstDay, length }: JourneyTimeline, position: number): string | null {
  return position < length ? addDays(firstDay, position) : null
}

/** The position of a day, clamped to the timeline. */
export function toPosition({ firstDay, length }: JourneyTimeline, day: string | null): number {
  return day === null ? length : Math.max(0, Math.min(length, countDaysBetween(firstDay, day) || 0))
}

/** The next stop, or the end; undefined at the end. */
export function getNextStop({ stops, length }: JourneyTimeline, position: number): number | undefined {
  if (position >= length) return undefined
  return stops.find((stop) => stop.position > position)?.position ?? length
}

/** The previous stop, or the start. */
export function getPreviousStop({ stops }: JourneyTimeline, position: number): number {
  return stops.findLast((stop) => stop.position < position)?.position ?? 0
}

/** For example `2 of 5 moments, 1 of 3 waypoints reached`. */
export function formatProgressAt({ stops, waypointCount }: JourneyTimeline, position: number): string {
  const pastStops = stops.filter((stop) => stop.position <= position)
  const countMoments = (countedStops: readonly TimelineStop[]) =>
    countedStops.reduce((total, { momentCount }) => total + momentCount, 0)
  const momentsText = `${countMoments(pastStops)} of ${pluralize(countMoments(stops), 'moment')}`
  if (waypointCount === 0) return momentsText
  const reachedCount = pastStops.reduce((total, { reachedTitles }) => total + reachedTitles.length, 0)
  return `${momentsText}, ${reachedCount} of ${pluralize(waypointCount, 'waypoint')} reached`
}
