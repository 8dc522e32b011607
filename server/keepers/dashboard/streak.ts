import { dayMs } from '#server/hours-and-days.ts'
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
  /** A missed day was forgiven within the current streak. */
  graceUsed: boolean
}

/** One missed day in this many days is forgiven. */
const graceEvery = 7

export function dayBefore(date: string, days = 1): string {
  return new Date(Date.parse(date) - days * dayMs).toISOString().slice(0, 10)
}

/** Takes days in any order. A single missed day is skipped when none was in the seven days before. Tomorrow counts
 * (it can
 * come from another time zone), later days do not. */
export function streakOf(dates: Iterable<string>, today: string): Streak {
  const tomorrow = dayBefore(today, -1)
  const days = [...new Set(dates)].filter((date) => date <= tomorrow).sort()
  const last = days.at(-1)
  if (last === undefined) return { current: 0, longest: 0, graceUsed: false }
  let longest = 0
  let run: Run = nothing
  let before: number | null = null
  for (const date of days) {
    const number = Date.parse(date) / dayMs
    const gap = before === null ? null : number - before
    if (gap === 2) run = forgiving(run, number - 1)
    else if (gap !== 1) run = nothing
    run = { ...run, days: run.days + 1, sinceForgiven: run.sinceForgiven + 1 }
    longest = Math.max(longest, run.days)
    before = number
  }
  const away = Date.parse(today) / dayMs - (before ?? 0)
  // Yesterday was missed; today can still forgive it.
  if (away === 2) run = forgiving(run, Date.parse(today) / dayMs - 1)
  else if (away > 2) run = nothing
  return { current: run.days, longest, graceUsed: run.days > 0 && run.forgivenAt !== null }
}

interface Run {
  days: number
  /** Days since the last forgiven one, which remain when the next is missed too soon. */
  sinceForgiven: number
  forgivenAt: number | null
}
const nothing: Run = { days: 0, sinceForgiven: 0, forgivenAt: null }

function forgiving(run: Run, missed: number): Run {
  const tooSoon = run.forgivenAt !== null && missed - run.forgivenAt < graceEvery
  return { days: tooSoon ? run.sinceForgiven : run.days, sinceForgiven: 0, forgivenAt: missed }
}
