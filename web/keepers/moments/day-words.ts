import { dayIn } from '#contract/keepers/lived-time.ts'
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
const dayMs = 24 * 60 * 60 * 1000
const noon = (day: string) => Date.parse(`${day}T12:00:00Z`)

export const today = () => dayIn(ownTimeZone(), Date.now())

/** The day so many days later, or earlier. */
export const addDays = (day: string, days: number): string =>
  new Date(noon(day) + days * dayMs).toISOString().slice(0, 10)

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

/** The month so many months later, or earlier. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const at = year * 12 + number - 1 + months
  return `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`
}

/** The weeks of a month, Monday first, with the days beside it that fill them. */
export function weeksOf(month: string): string[][] {
  const first = `${month}-01`
  const before = (new Date(noon(first)).getUTCDay() + 6) % 7
  const weeks: string[][] = []
  for (let day = addDays(first, -before); day.slice(0, 7) <= month; day = addDays(day, 7))
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(day, index)))
  return weeks
}
