/** When something was lived: an instant, and what the calendar and the clock said there. */

/** The day at `instant` (milliseconds) in a time zone, such as `2026-11-20`. */
export function dayIn(timezone: string, instant: number): string {
  const { year, month, day } = partsIn(timezone, instant)
  return `${year}-${month}-${day}`
}

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
  const dayMs = 24 * 60 * 60 * 1000
  const before = wanted - offsetAt(wanted - dayMs)
  if (shown(before) === Math.floor(wanted / 1000) * 1000) return before
  const after = wanted - offsetAt(wanted + dayMs)
  return shown(after) === Math.floor(wanted / 1000) * 1000 ? after : before
}

function partsIn(timezone: string, instant: number): Record<string, string> {
  const format = new Intl.DateTimeFormat('en-US', {
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
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  return { ...parts, year: (parts.year ?? '').padStart(4, '0') }
}
