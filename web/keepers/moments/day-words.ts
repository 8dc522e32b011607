import { dayIn } from '#contract/keepers/lived-time.ts'
import { addDays, dayMs, daysBetween } from '#web/ui/days.ts'
import { ownTimeZone } from '#web/ui/format-time.ts'

const words = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })
const wordsWithYear = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})
const monthWords = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const noon = (day: string) => Date.parse(`${day}T12:00:00Z`)

// Years have four digits.
const [firstMonth, lastMonth] = [0, 9999 * 12 + 11]

export const today = () => dayIn(ownTimeZone(), Date.now())

/** 0 is Monday. */
export const weekdayOf = (day: string): number => (new Date(noon(day)).getUTCDay() + 6) % 7

/** 'Today', 'Yesterday', 'Friday, November 20', with the year when it is another one. */
export function dayWords(day: string, now = today()): string {
  if (day === now) return 'Today'
  if (day === addDays(now, -1)) return 'Yesterday'
  return (day.slice(0, 4) === now.slice(0, 4) ? words : wordsWithYear).format(noon(day))
}

/** 'Friday, November 20, 2026'. */
export const longDay = (day: string): string => wordsWithYear.format(noon(day))

/** `2026-11` as 'November 2026'. */
export const monthTitle = (month: string): string => monthWords.format(noon(`${month}-15`))

/** Clamped to years 0000 to 9999. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const at = Math.min(Math.max(year * 12 + number - 1 + months, firstMonth), lastMonth)
  return `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`
}

/** The weeks of a month, Monday first, filled up with days of the adjacent months. */
export function weeksOf(month: string): string[][] {
  const first = `${month}-01`
  const after = new Date(noon(first))
  after.setUTCMonth(after.getUTCMonth() + 1)
  const length = (after.getTime() - noon(first)) / dayMs
  const weeks: string[][] = []
  for (let monday = -weekdayOf(first); monday < length; monday += 7) {
    const days = Array.from({ length: 7 }, (_, index) => addDays(first, monday + index))
    weeks.push(days.filter((day, index) => daysBetween(first, day) === monday + index))
  }
  return weeks
}
