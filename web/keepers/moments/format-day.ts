import { getLocalDay } from '#contract/keepers/local-time.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { addDays, countDaysBetween, dayMs } from '#web/ui/text/days.ts'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'

const dayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' })
const dayFormatWithYear = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})
const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthNameFormat = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })
export const monthNames = Array.from({ length: 12 }, (_, month) => monthNameFormat.format(Date.UTC(2026, month, 15)))
const toNoonMs = (day: string) => Date.parse(`${day}T12:00:00Z`)

// Years have four digits.
const maxMonthIndex = 9999 * 12 + 11

export const getToday = () => getLocalDay(getLocalTimeZone(), Date.now())

export const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

/** 0 is Monday. */
export const getWeekday = (day: string): number => (new Date(toNoonMs(day)).getUTCDay() + 6) % 7

/** 'Today', 'Yesterday', 'Friday, November 20', with the year when it is another one. */
export function formatDay(day: string, today = getToday()): string {
  if (day === today) return 'Today'
  if (day === addDays(today, -1)) return 'Yesterday'
  return (day.slice(0, 4) === today.slice(0, 4) ? dayFormat : dayFormatWithYear).format(toNoonMs(day))
}

/** 'Friday, November 20', in whatever year. */
export const formatDayOfYear = (day: string): string => dayFormat.format(toNoonMs(day))

/** 'Friday, November 20, 2026'. */
export const formatLongDay = (day: string): string => dayFormatWithYear.format(toNoonMs(day))

/** `2026-11` as 'November 2026'. */
export const formatMonth = (month: string): string => monthFormat.format(toNoonMs(`${month}-15`))

/** Months such as `2026-11`, clamped to years 0000 to 9999. */
export function addMonths(month: string, monthCount: number): string {
  const [year = 0, monthNumber = 1] = month.split('-').map(Number)
  const monthIndex = Math.min(Math.max(year * 12 + monthNumber - 1 + monthCount, 0), maxMonthIndex)
  return `${String(Math.floor(monthIndex / 12)).padStart(4, '0')}-${String((monthIndex % 12) + 1).padStart(2, '0')}`
}

/** The weeks of a month, Monday first, filled up with days of the adjacent months. */
export function getWeeks(month: string): string[][] {
  const firstDay = `${month}-01`
  const nextMonth = new Date(toNoonMs(firstDay))
  nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1)
  const dayCount = (nextMonth.getTime() - toNoonMs(firstDay)) / dayMs
  const weeks: string[][] = []
  for (let monday = -getWeekday(firstDay); monday < dayCount; monday += 7) {
    const days = Array.from({ length: 7 }, (_, index) => addDays(firstDay, monday + index))
    // Days before year 0000 and after year 9999 don't exist.
    weeks.push(days.filter((day, index) => countDaysBetween(firstDay, day) === monday + index))
  }
  return weeks
}

/** Moments per local day. Leaves out the last day while later pages can contain more of it. */
export function countByDay(items: readonly Pick<Moment, 'localDate'>[], hasMore: boolean): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { localDate } of items) counts.set(localDate, (counts.get(localDate) ?? 0) + 1)
  const last = items.at(-1)
  if (hasMore && last) counts.delete(last.localDate)
  return counts
}

/** Such as "2 years ago, 2024". */
export function formatYearsAgo(day: string, today: string): string {
  const [year, currentYear] = [day.slice(0, 4), today.slice(0, 4)]
  const yearsAgo = Number(currentYear) - Number(year)
  return `${yearsAgo === 1 ? 'A year ago' : `${yearsAgo} years ago`}, ${year}`
}
