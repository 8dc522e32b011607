import { addDays, daysBetween, localDay } from '#web/ui/days.ts'
import type { JourneyToPlay } from './journey-time.ts'

export interface Stop {
  /** YYYY-MM-DD. */
  day: string
  /** Days since the first day. */
  at: number
  moments: number
  /** Titles of waypoints reached on this day. */
  reached: string[]
}

/** The range of days of a journey, with a stop per eventful day. */
export interface TimeLine {
  first: string
  last: string
  /** Days from first to last; 0 for a single day. */
  length: number
  /** In order; always includes the first day. */
  stops: Stop[]
}

/** From the start or first moment to the completion or today. */
export function timeLineOf(journey: JourneyToPlay, today: string): TimeLine {
  const happened = new Map<string, Omit<Stop, 'at'>>()
  const on = (day: string) => {
    const stop = happened.get(day) ?? { day, moments: 0, reached: [] }
    happened.set(day, stop)
    return stop
  }
  for (const { localDate } of journey.beads) on(localDate).moments++
  for (const { waypoints } of journey.paths) {
    for (const { doneAt, title } of waypoints) if (doneAt !== null) on(localDay(doneAt)).reached.push(title)
  }
  const days = [...happened.keys()].sort()
  const began = [journey.startedOn, days[0]].filter((day) => day !== null && day !== undefined).sort()[0]
  const ended = journey.completedAt === null ? today : localDay(journey.completedAt)
  const first = began ?? localDay(journey.createdAt)
  const last = [first, ended, ...days.slice(-1)].sort().at(-1) ?? first
  on(first)
  const stops = [...happened.values()]
    .sort((a, b) => (a.day < b.day ? -1 : 1))
    .map((stop) => ({ ...stop, at: daysBetween(first, stop.day) }))
  return { first, last, length: daysBetween(first, last), stops }
}

/** The day at a position; null at the end, which can grow. */
export function dayAt({ first, length }: TimeLine, at: number): string | null {
  return at < length ? addDays(first, at) : null
}

/** The position of a day, clamped to the timeline. */
export function placeOfDay({ first, length }: TimeLine, day: string | null): number {
  return day === null ? length : Math.max(0, Math.min(length, daysBetween(first, day) || 0))
}

/** The next stop, or the end; undefined at the end. */
export function nextStop({ stops, length }: TimeLine, at: number): number | undefined {
  if (at >= length) return undefined
  return stops.find((stop) => stop.at > at)?.at ?? length
}

/** The previous stop, or the start. */
export function stopBefore({ stops }: TimeLine, at: number): number {
  return stops.findLast((stop) => stop.at < at)?.at ?? 0
}

/** For example `2 of 5 moments, 1 of 3 waypoints reached`. */
export function wordsAt({ stops }: TimeLine, at: number): string {
  const count = (given: readonly Stop[]) => ({
    moments: given.reduce((sum, { moments }) => sum + moments, 0),
    reached: given.reduce((sum, { reached }) => sum + reached.length, 0),
  })
  const [so, all] = [count(stops.filter((stop) => stop.at <= at)), count(stops)]
  const moments = `${so.moments} of ${all.moments === 1 ? '1 moment' : `${all.moments} moments`}`
  if (all.reached === 0) return moments
  return `${moments}, ${so.reached} of ${all.reached === 1 ? '1 waypoint' : `${all.reached} waypoints`} reached`
}
