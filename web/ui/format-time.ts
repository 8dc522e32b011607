import { LruMap } from '#contract/lru-map.ts'

export type TimeStyle = 'date' | 'day' | 'time' | 'date-time' | 'month'

const date: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', year: 'numeric' }
const clock: Intl.DateTimeFormatOptions = {
  hour: 'numeric',
  minute: '2-digit',
  // Text is en-US, but the 12- or 24-hour clock follows the reader's locale.
  hourCycle: new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hourCycle,
}

const options: Record<TimeStyle, Intl.DateTimeFormatOptions> = {
  date,
  day: { weekday: 'long', month: 'long', day: 'numeric' },
  time: clock,
  'date-time': { ...date, ...clock },
  month: { month: 'long', year: 'numeric' },
}
const formats = Object.fromEntries(
  Object.entries(options).map(([style, option]) => [style, new Intl.DateTimeFormat('en-US', option)]),
) as Record<TimeStyle, Intl.DateTimeFormat>

/** 'Nov 20, 2026', 'Friday, November 20'; returns invalid dates unchanged. `timeZone` defaults to the reader's. */
export function formatTime(value: string | number | Date, style: TimeStyle = 'date', timeZone?: string): string {
  const moment = new Date(value)
  if (Number.isNaN(moment.getTime())) return String(value)
  return (timeZone ? formatIn(style, timeZone) : formats[style]).format(moment)
}

const elsewhere = new LruMap<string, Intl.DateTimeFormat>(100)

function formatIn(style: TimeStyle, timeZone: string): Intl.DateTimeFormat {
  const key = `${style} ${timeZone}`
  const known = elsewhere.get(key) ?? new Intl.DateTimeFormat('en-US', { ...options[style], timeZone })
  elsewhere.set(key, known)
  return known
}

/** The device's IANA time zone. Browsers report an unknown zone as Etc/Unknown, which Intl rejects, and fall back to UTC. */
export function ownTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return !timeZone || timeZone === 'Etc/Unknown' ? 'UTC' : timeZone
}
