/** Days with a clock change have 23 or 25 hours; count calendar days with {@link countDaysBetween}. */
export const dayMs = 24 * 60 * 60 * 1000
export const hoursPerYear = 365 * 24

/** The local calendar day of an instant, such as `2026-11-20`. */
export function toLocalDay(instant: string | Date): string {
  const date = new Date(instant)
  const padTwo = (value: number) => String(value).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`
}

/** Calendar days from `from` to `to`, both such as `2026-11-20`; negative when `to` is earlier. */
export const countDaysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

const [minTime, maxTime] = [Date.parse('0000-01-01'), Date.parse('9999-12-31')]

/** Clamped to years 0000 to 9999, since a day has a four-digit year. */
export const addDays = (day: string, days: number): string =>
  new Date(Math.min(Math.max(Date.parse(day) + days * dayMs, minTime), maxTime)).toISOString().slice(0, 10)
