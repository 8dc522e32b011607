import { dayMs } from '#server/hours-and-days.ts'
import { badField } from '#server/http/problem.ts'

const mostDays = 366
const daysByDefault = 30

/** Whole UTC days since 1970; `to` is inclusive. */
export interface DayRange {
  from: number
  to: number
}

/** Defaults to the 30 days up to today. @throws Problem `bad-input` naming the date */
export function rangeOf(given: { from?: string | undefined; to?: string | undefined }, now: Date): DayRange {
  const to = given.to ? dayNumber('to', given.to) : Math.floor(now.getTime() / dayMs)
  const from = given.from ? dayNumber('from', given.from) : to - daysByDefault + 1
  if (from > to) throw badField('from', 'Use a date on or before the one in "to".')
  if (to - from >= mostDays) throw badField('from', `Choose a range of at most ${mostDays} days.`)
  return { from, to }
}

export function dayName(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

function dayNumber(field: 'from' | 'to', text: string): number {
  const day = /^(\d{4}-\d{2}-\d{2})(T.*)?$/.exec(text)?.[1]
  const time = day ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  // Date.parse turns February 31 into a day in March.
  if (Number.isNaN(time) || dayName(time / dayMs) !== day) throw badField(field, 'Use a date like 2026-11-20.')
  return time / dayMs
}
