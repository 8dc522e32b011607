/** 24 hours. Where clocks are changed a day has one more or fewer: days of a calendar are counted by {@link daysBetween}. */
export const dayMs = 24 * 60 * 60 * 1000

/** The day that the calendar shows here at an instant, such as `2026-11-20`. */
export function localDay(instant: string | Date): string {
  const date = new Date(instant)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** How many days of the calendar `to` comes after `from`, both such as `2026-11-20`; below 0 where it comes before. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

/** A day is written with four figures for its year: none before or after these is. */
const [firstDay, lastDay] = [Date.parse('0000-01-01'), Date.parse('9999-12-31')]

/** The day so many days later, or earlier; the very first or last where there is no other. */
export const addDays = (day: string, days: number): string =>
  new Date(Math.min(Math.max(Date.parse(day) + days * dayMs, firstDay), lastDay)).toISOString().slice(0, 10)
