const dayMs = 24 * 60 * 60 * 1000

/** The local day such as `2026-11-20` at `instant` (ms). */
export function dayIn(timezone: string, instant: number): string {
  const { year, month, day } = partsIn(timezone, instant)
  return `${year}-${month}-${day}`
}

/** Like {@link getLocalDay} for ascending instants, with one time zone lookup per day. */
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

export function clockIn(timezone: string, instant: number): string {
  const { hour, minute } = partsIn(timezone, instant)
  return `${hour}:${minute}`
}

/** The instant (ms) at which local clocks show `time` on `day`. A skipped hour uses the offset before the change; a repeated one means the first. */
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

// Creating a format costs a hundred times as much as using it.
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
