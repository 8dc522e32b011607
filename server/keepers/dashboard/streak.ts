import { dayMs } from '#server/values/time-units.ts'
/** `kept`: at least one entry was kept; `mood`: the mean. */
export interface WrittenDay {
  date: string
  count: number
  kept: boolean
  mood: number | null
}

export interface Streak {
  /** Consecutive days up to today, which may still be missing. */
  current: number
  longest: number
  graceUsed: boolean
}

/** One missed day in this many days is forgiven. */
const graceIntervalDays = 7

export function getDayBefore(date: string, days = 1): string {
  return new Date(Date.parse(date) - days * dayMs).toISOString().slice(0, 10)
}

/** Skips a single missed day when none was in the seven days before. Counts tomorrow, which other zones reach first. */
export function calculateStreak(dates: Iterable<string>, today: string): Streak {
  const tomorrow = getDayBefore(today, -1)
  const days = [...new Set(dates)].filter((date) => date <= tomorrow).sort()
  const lastDate = days.at(-1)
  if (lastDate === undefined) return { current: 0, longest: 0, graceUsed: false }
  let maxDays = 0
  let run: StreakRun = emptyRun
  let previousDay: number | null = null
  for (const date of days) {
    const dayNumber = Date.parse(date) / dayMs
    const gap = previousDay === null ? null : dayNumber - previousDay
    if (gap === 2) run = forgiveMissedDay(run, dayNumber - 1)
    else if (gap !== 1) run = emptyRun
    run = { ...run, days: run.days + 1, sinceForgiven: run.sinceForgiven + 1 }
    maxDays = Math.max(maxDays, run.days)
    previousDay = dayNumber
  }
  const daysSinceLast = Date.parse(today) / dayMs - (previousDay ?? 0)
  if (daysSinceLast === 2) run = forgiveMissedDay(run, Date.parse(today) / dayMs - 1)
  else if (daysSinceLast > 2) run = emptyRun
  return { current: run.days, longest: maxDays, graceUsed: run.days > 0 && run.forgivenAt !== null }
}

interface StreakRun {
  days: number
  /** Days since the last forgiven one, which remain when the next is missed too soon. */
  sinceForgiven: number
  forgivenAt: number | null
}
const emptyRun: StreakRun = { days: 0, sinceForgiven: 0, forgivenAt: null }

function forgiveMissedDay(run: StreakRun, missedDay: number): StreakRun {
  const isTooSoon = run.forgivenAt !== null && missedDay - run.forgivenAt < graceIntervalDays
  return { days: isTooSoon ? run.sinceForgiven : run.days, sinceForgiven: 0, forgivenAt: missedDay }
}
