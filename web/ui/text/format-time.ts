import { LruMap } from '#contract/lru-map.ts'

export type TimeStyle = 'date' | 'day' | 'time' | 'date-time' | 'month'

const dateOptions: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', year: 'numeric' }
const timeOptions: Intl.DateTimeFormatOptions = {
  hour: 'numeric',
  minute: '2-digit',
  // Text is en-US, but the 12- or 24-hour clock follows the reader's locale.
  hourCycle: new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hourCycle,
}

const styleOptions: Record<TimeStyle, Intl.DateTimeFormatOptions> = {
  date: dateOptions,
  day: { weekday: 'long', month: 'long', day: 'numeric' },
  time: timeOptions,
  'date-time': { ...dateOptions, ...timeOptions },
  month: { month: 'long', year: 'numeric' },
}

/** 'Nov 20, 2026', 'Friday, November 20'; returns invalid dates unchanged. `timeZone` defaults to the reader's. */
export function formatTime(value: string | number | Date, style: TimeStyle = 'date', timeZone?: string): string {
  const instant = new Date(value)
  if (Number.isNaN(instant.getTime())) return String(value)
  return getFormat(style, timeZone || undefined).format(instant)
}

/** Formats a calendar day such as `2026-11-20`, whatever the reader's time zone. */
export const formatCalendarDay = (day: string): string => formatTime(`${day}T12:00:00Z`, 'date', 'UTC')

const formats = new LruMap<string, Intl.DateTimeFormat>(100)

function getFormat(style: TimeStyle, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${style} ${timeZone}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { ...styleOptions[style], timeZone })
  formats.set(key, format)
  return format
}

const timeZoneMaxAgeMs = 60_000
let [localTimeZone, timeZoneReadAt] = ['UTC', Number.NEGATIVE_INFINITY]

/** The device's IANA time zone, or UTC when the browser doesn't know it (it reports `Etc/Unknown`, which Intl rejects). */
export function getLocalTimeZone(): string {
  if (Math.abs(Date.now() - timeZoneReadAt) < timeZoneMaxAgeMs) return localTimeZone
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  timeZoneReadAt = Date.now()
  localTimeZone = !timeZone || timeZone === 'Etc/Unknown' ? 'UTC' : timeZone
  return localTimeZone
}
