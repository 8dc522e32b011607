import { dayMs } from '#server/hours-and-days.ts'
import { badField } from '#server/http/problem.ts'

const mostDays = 366
const daysByDefault = 30

/** Whole days in UTC, numbered since 1970; `to` is included. */
export interface DayRange {
  from: number
  to: number
}

/** The 30 days up to today, or what is asked for. @throws Problem `bad-input` that names the date */
export function rangeOf(given: { from?: string | undefined; to?: string | undefined }, now: Date): DayRange {
  const to = given.to ? dayNumber('to', given.to) : Math.floor(now.getTime() / dayMs)
  const from = given.from ? dayNumber('from', given.from) : to - daysByDefault + 1
  if (from > to) throw badField('from', 'Use a date that is not after the one in "to".')
  if (to - from >= mostDays) throw badField('from', `Ask for at most ${mostDays} days at once.`)
  return { from, to }
}

/** `2026-11-20`. */
export function dayName(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

function dayNumber(field: 'from' | 'to', text: string): number {
  const day = /^(\d{4}-\d{2}-\d{2})(T.*)?$/.exec(text)?.[1]
  const time = day ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  // Date.parse takes February 31 for a day in March.
  if (Number.isNaN(time) || dayName(time / dayMs) !== day) throw badField(field, 'Use a date like 2026-11-20.')
  return time / dayMs
}
