import { expect, it } from 'vitest'
import { findNextAnniversary, parseTriggerInstant } from './echo-triggers.ts'

const utc = (text: string) => Date.parse(text)

it.each([
  ['a day later in the year', '11-20', '2026-03-01T10:00:00Z', '2026-11-20T00:00:00Z'],
  ['the current day, which returns next year', '11-20', '2026-11-20T00:00:00Z', '2027-11-20T00:00:00Z'],
  ['the evening before', '11-20', '2026-11-19T23:59:59.999Z', '2026-11-20T00:00:00Z'],
  ['29 February in a leap year', '02-29', '2028-01-05T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['29 February in a common year', '02-29', '2026-01-05T00:00:00Z', '2026-02-28T00:00:00Z'],
  ['29 February after the 28th of a common year', '02-29', '2027-02-28T08:00:00Z', '2028-02-29T00:00:00Z'],
  ['31 April, which does not exist', '04-31', '2026-04-01T00:00:00Z', '2026-04-30T00:00:00Z'],
  ['new year', '01-01', '2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z'],
])('the next anniversary of %s', (_, day, since, next) => {
  expect(findNextAnniversary(day, utc(since), 'UTC')).toBe(utc(next))
})

it.each([
  ['Europe/Berlin', '11-20', '2026-03-01T10:00:00Z', '2026-11-19T23:00:00Z'],
  ['Europe/Berlin, after a clock change', '07-01', '2026-01-01T10:00:00Z', '2026-06-30T22:00:00Z'],
  ['America/Los_Angeles, written the evening before', '11-20', '2026-11-20T05:00:00Z', '2026-11-20T08:00:00Z'],
  ['America/Los_Angeles, written on that day', '11-20', '2026-11-21T05:00:00Z', '2027-11-20T08:00:00Z'],
  ['Asia/Tokyo, already in the new year', '01-01', '2026-12-31T16:00:00Z', '2027-12-31T15:00:00Z'],
])('an anniversary starts in the writer’s time zone: %s', (caseName, day, since, next) => {
  expect(findNextAnniversary(day, utc(since), caseName.split(',')[0] ?? '')).toBe(utc(next))
})

it.each([
  ['2026-12-24', '2026-12-24T00:00:00Z'],
  ['2026-12-24T18:30', '2026-12-24T18:30:00Z'],
  ['2026-12-24T18:30:00Z', '2026-12-24T18:30:00Z'],
  ['2026-12-24T18:30:00+02:00', '2026-12-24T16:30:00Z'],
])('%s is read as %s, independent of the server’s time zone', (date, instant) => {
  expect(parseTriggerInstant(date, 'UTC')).toBe(utc(instant))
})

it.each([
  ['2026-12-24', '2026-12-24T08:00:00Z'],
  ['2026-07-24', '2026-07-24T07:00:00Z'],
  ['2026-12-24T18:30', '2026-12-25T02:30:00Z'],
  ['2026-12-24T18:30:15.5', '2026-12-25T02:30:15.500Z'],
  ['2026-12-24T18:30:00Z', '2026-12-24T18:30:00Z'],
])('in Los Angeles %s is read as %s', (date, instant) => {
  expect(parseTriggerInstant(date, 'America/Los_Angeles')).toBe(utc(instant))
})
