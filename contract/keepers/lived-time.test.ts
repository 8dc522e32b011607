import { expect, it, vi } from 'vitest'
import { clockIn, dayIn, daysInTurn, instantIn } from './lived-time.ts'

const at = (iso: string) => Date.parse(iso)

it.each([
  ['Asia/Tokyo', '2026-11-20T14:30:00Z', '2026-11-20', '23:30'],
  ['UTC', '2026-11-20T14:30:00Z', '2026-11-20', '14:30'],
  ['Asia/Tokyo', '2026-11-20T15:00:00Z', '2026-11-21', '00:00'],
  ['America/Los_Angeles', '2026-01-01T05:00:00Z', '2025-12-31', '21:00'],
  ['Asia/Kathmandu', '2026-06-01T18:20:00Z', '2026-06-02', '00:05'],
  ['+05:30', '2026-06-01T18:30:00Z', '2026-06-02', '00:00'],
])('in %s the instant %s is on %s at %s, and back', (zone, instant, day, time) => {
  expect(dayIn(zone, at(instant))).toBe(day)
  expect(clockIn(zone, at(instant))).toBe(time)
  expect(instantIn(zone, day, time)).toBe(at(instant))
})

it('an hour that comes twice is the first, one that is left out counts from before the change', () => {
  expect(instantIn('Europe/Berlin', '2026-10-25', '02:30')).toBe(at('2026-10-25T00:30:00Z'))
  expect(instantIn('Europe/Berlin', '2026-03-29', '02:30')).toBe(at('2026-03-29T01:30:00Z'))
})

it('the hours beside a change of clocks are themselves', () => {
  expect(instantIn('Europe/Berlin', '2026-03-29', '01:59')).toBe(at('2026-03-29T00:59:00Z'))
  expect(instantIn('Europe/Berlin', '2026-03-29', '03:00')).toBe(at('2026-03-29T01:00:00Z'))
  expect(instantIn('Europe/Berlin', '2026-10-25', '03:00')).toBe(at('2026-10-25T02:00:00Z'))
})

it.each([
  ['Europe/Berlin', '2026-03-27', '2026-10-27'],
  // A day that never was.
  ['Pacific/Apia', '2011-12-20', '2012-01-10'],
  // The clocks go back from just after midnight to the day before.
  ['America/St_Johns', '2010-10-30', '2010-11-12'],
  // Midnight is left out.
  ['America/Santiago', '2022-09-01', '2022-09-20'],
  ['+05:30', '2026-01-01', '2026-01-20'],
])('in %s what comes in turn is on the days it is on', (zone, from, to) => {
  const dayOf = daysInTurn(zone)
  for (let instant = at(`${from}T00:00:00Z`); instant < at(`${to}T00:00:00Z`); instant += 13 * 60 * 1000)
    expect([instant, dayOf(instant)]).toEqual([instant, dayIn(zone, instant)])
})

it('ten thousand days of a diary do not make ten thousand calendars', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  for (let instant = 0; instant < 10_000; instant++) dayIn('Asia/Dhaka', instant * 86_400_000)
  expect(made.mock.calls.length).toBeLessThan(2)
  made.mockRestore()
})
