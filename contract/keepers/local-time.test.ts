import { expect, it, vi } from 'vitest'
import { createAscendingDayLookup, getInstant, getLocalDay, getLocalTime } from './local-time.ts'

const at = (iso: string) => Date.parse(iso)

it.each([
  ['Asia/Tokyo', '2026-11-20T14:30:00Z', '2026-11-20', '23:30'],
  ['UTC', '2026-11-20T14:30:00Z', '2026-11-20', '14:30'],
  ['Asia/Tokyo', '2026-11-20T15:00:00Z', '2026-11-21', '00:00'],
  ['America/Los_Angeles', '2026-01-01T05:00:00Z', '2025-12-31', '21:00'],
  ['Asia/Kathmandu', '2026-06-01T18:20:00Z', '2026-06-02', '00:05'],
  ['+05:30', '2026-06-01T18:30:00Z', '2026-06-02', '00:00'],
])('in %s the instant %s is on %s at %s, and back', (zone, instant, day, time) => {
  expect(getLocalDay(zone, at(instant))).toBe(day)
  expect(getLocalTime(zone, at(instant))).toBe(time)
  expect(getInstant(zone, day, time)).toBe(at(instant))
})

it('a repeated hour means the first, a skipped one uses the earlier offset', () => {
  expect(getInstant('Europe/Berlin', '2026-10-25', '02:30')).toBe(at('2026-10-25T00:30:00Z'))
  expect(getInstant('Europe/Berlin', '2026-03-29', '02:30')).toBe(at('2026-03-29T01:30:00Z'))
})

it('hours next to a clock change are unambiguous', () => {
  expect(getInstant('Europe/Berlin', '2026-03-29', '01:59')).toBe(at('2026-03-29T00:59:00Z'))
  expect(getInstant('Europe/Berlin', '2026-03-29', '03:00')).toBe(at('2026-03-29T01:00:00Z'))
  expect(getInstant('Europe/Berlin', '2026-10-25', '03:00')).toBe(at('2026-10-25T02:00:00Z'))
})

it.each([
  ['Europe/Berlin', '2026-03-27', '2026-10-27'],
  ['Pacific/Apia', '2011-12-20', '2012-01-10'],
  // The clocks go back from just after midnight to the previous day.
  ['America/St_Johns', '2010-10-30', '2010-11-12'],
  ['America/Santiago', '2022-09-01', '2022-09-20'],
  ['+05:30', '2026-01-01', '2026-01-20'],
])('in %s ascending instants get the same days as single ones', (zone, from, to) => {
  const getDay = createAscendingDayLookup(zone)
  for (let instant = at(`${from}T00:00:00Z`); instant < at(`${to}T00:00:00Z`); instant += 13 * 60 * 1000)
    expect({ instant, day: getDay(instant) }).toEqual({ instant, day: getLocalDay(zone, instant) })
})

it('ten thousand days create at most one date format', () => {
  const dateTimeFormat = vi.spyOn(Intl, 'DateTimeFormat')
  for (let instant = 0; instant < 10_000; instant++) getLocalDay('Asia/Dhaka', instant * 86_400_000)
  expect(dateTimeFormat.mock.calls.length).toBeLessThan(2)
  dateTimeFormat.mockRestore()
})
