/** When something was lived: an instant, and what the calendar and the clock said there. */

const dayMs = 24 * 60 * 60 * 1000

/** The day at `instant` (milliseconds) in a time zone, such as `2026-11-20`. */
export function dayIn(timezone: string, instant: number): string {
  const { year, month, day } = partsIn(timezone, instant)
  return `${year}-${month}-${day}`
}

/**
 * {@link dayIn} for instants that come earliest first: it asks the time zone once a day, and not for each of them.
 */
export function daysInTurn(timezone: string): (instant: number) => string {
  let day = ''
  let until = Number.NEGATIVE_INFINITY
  return (instant) => {
    if (instant >= until) {
      day = dayIn(timezone, instant)
      until = instantIn(timezone, dayAfter(day), '00:00')
    }
    return day
  }
}

const dayAfter = (day: string) => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)

/** The time of day at `instant` (milliseconds) in a time zone, such as `18:05`. */
export function clockIn(timezone: string, instant: number): string {
  const { hour, minute } = partsIn(timezone, instant)
  return `${hour}:${minute}`
}

/**
 * The instant (milliseconds) at which the clocks of a time zone show `time` on `day`. An hour that a change of clocks
 * leaves out counts from before the change; of one that comes twice, the first is meant.
 */
export function instantIn(timezone: string, day: string, time: string): number {
  const wanted = Date.parse(`${day}T${time}Z`)
  const shown = (instant: number) => {
    const { year, month, day: date, hour, minute, second } = partsIn(timezone, instant)
    return Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`)
  }
  const offsetAt = (instant: number) => shown(instant) - Math.floor(instant / 1000) * 1000
  const before = wanted - offsetAt(wanted - dayMs)
  if (shown(before) === Math.floor(wanted / 1000) * 1000) return before
  const after = wanted - offsetAt(wanted + dayMs)
  return shown(after) === Math.floor(wanted / 1000) * 1000 ? after : before
}

function partsIn(timezone: string, instant: number): Record<string, string> {
  const parts = Object.fromEntries(
    formatOf(timezone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  return { ...parts, year: (parts.year ?? '').padStart(4, '0') }
}

/** To make one costs a hundred times what asking it does. */
const formats = new Map<string, Intl.DateTimeFormat>()
const mostFormats = 100

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
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
  if (formats.size >= mostFormats) formats.clear()
  formats.set(timezone, made)
  return made
}
