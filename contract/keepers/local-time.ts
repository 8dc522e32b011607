const dayMs = 24 * 60 * 60 * 1000

/** The local day such as `2026-11-20` at `instant` (ms). */
export function getLocalDay(timezone: string, instant: number): string {
  if (timezone === 'UTC') return new Date(instant).toISOString().slice(0, 10)
  const { year, month, day } = getDateParts(timezone, instant)
  return `${year}-${month}-${day}`
}

/** Like {@link getLocalDay} for ascending instants, with one time zone lookup per day. */
export function createAscendingDayLookup(timezone: string): (instant: number) => string {
  let day = ''
  let validUntil = Number.NEGATIVE_INFINITY
  return (instant) => {
    if (instant >= validUntil) {
      day = getLocalDay(timezone, instant)
      validUntil = getInstant(timezone, getNextDay(day), '00:00')
    }
    return day
  }
}

export const getNextDay = (day: string) => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)

export function getLocalTime(timezone: string, instant: number): string {
  const { hour, minute } = getDateParts(timezone, instant)
  return `${hour}:${minute}`
}

/** The instant (ms) at which local clocks show `time` on `day`. A skipped hour uses the offset before the change; a repeated one means the first. */
export function getInstant(timezone: string, day: string, time: string): number {
  const target = Date.parse(`${day}T${time}Z`)
  const getClockAt = (instant: number) => {
    const { year, month, day: date, hour, minute, second } = getDateParts(timezone, instant)
    return Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`)
  }
  const getOffset = (instant: number) => getClockAt(instant) - Math.floor(instant / 1000) * 1000
  const withEarlierOffset = target - getOffset(target - dayMs)
  if (getClockAt(withEarlierOffset) === Math.floor(target / 1000) * 1000) return withEarlierOffset
  const withLaterOffset = target - getOffset(target + dayMs)
  return getClockAt(withLaterOffset) === Math.floor(target / 1000) * 1000 ? withLaterOffset : withEarlierOffset
}

function getDateParts(timezone: string, instant: number): Record<string, string> {
  const parts = Object.fromEntries(
    getDateFormat(timezone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  return { ...parts, year: (parts.year ?? '').padStart(4, '0') }
}

// Creating a format costs a hundred times as much as using it.
const dateFormats = new Map<string, Intl.DateTimeFormat>()
const maxCachedFormats = 100

/** @throws RangeError for an unknown time zone */
export function getDateFormat(timezone: string): Intl.DateTimeFormat {
  const cachedFormat = dateFormats.get(timezone)
  if (cachedFormat) return cachedFormat
  const newFormat = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  if (dateFormats.size >= maxCachedFormats) dateFormats.clear()
  dateFormats.set(timezone, newFormat)
  return newFormat
}
