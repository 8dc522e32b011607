import { badField } from '#server/http/problem.ts'
import { dayMs } from '#server/values/time-units.ts'

const maxRangeDays = 366
const defaultRangeDays = 30

/** Whole UTC days since 1970; `to` is inclusive. */
export interface DayRange {
  from: number
  to: number
}

/** Defaults to the 30 days up to today. @throws Problem `bad-input` naming the date */
export function parseRange(params: { from?: string | undefined; to?: string | undefined }, now: Date): DayRange {
  const to = params.to ? parseDay('to', params.to) : Math.floor(now.getTime() / dayMs)
  const from = params.from ? parseDay('from', params.from) : to - defaultRangeDays + 1
  if (from > to) throw badField('from', 'Use a date on or before the one in "to".')
  if (to - from >= maxRangeDays) throw badField('from', `Choose a range of at most ${maxRangeDays} days.`)
  return { from, to }
}

export function formatDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

function parseDay(field: 'from' | 'to', text: string): number {
  const day = /^(\d{4}-\d{2}-\d{2})(T.*)?$/.exec(text)?.[1]
  const time = day ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  // Date.parse turns February 31 into a day in March.
  if (Number.isNaN(time) || formatDay(time / dayMs) !== day) throw badField(field, 'Use a date like 2026-11-20.')
  return time / dayMs
}
