import { expect, test, vi } from 'vitest'
import { addDays, countDaysBetween, toLocalDay } from './days.ts'

test('a day follows the local calendar up to its first and last minute', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  expect(['2026-11-19T22:59:00Z', '2026-11-19T23:00:00Z', '2026-11-20T22:59:00Z'].map((at) => toLocalDay(at))).toEqual([
    '2026-11-19',
    '2026-11-20',
    '2026-11-20',
  ])
  expect(toLocalDay(new Date('0812-01-01T12:00:00Z'))).toBe('0812-01-01')
})

test('adding days crosses month ends, year ends and clock changes', () => {
  expect({ '2024-02-28, 1': addDays('2024-02-28', 1), '2026-12-31, 1': addDays('2026-12-31', 1) }).toEqual({
    '2024-02-28, 1': '2024-02-29',
    '2026-12-31, 1': '2027-01-01',
  })
  expect({ '2026-01-01, -1': addDays('2026-01-01', -1), '2026-03-28, 2': addDays('2026-03-28', 2) }).toEqual({
    '2026-01-01, -1': '2025-12-31',
    '2026-03-28, 2': '2026-03-30',
  })
  expect({
    '2026-12-31, 2027-01-01': countDaysBetween('2026-12-31', '2027-01-01'),
    '2026-03-01, 2026-02-28': countDaysBetween('2026-03-01', '2026-02-28'),
  }).toEqual({ '2026-12-31, 2027-01-01': 1, '2026-03-01, 2026-02-28': -1 })
})

test('days between dates ignore 23- and 25-hour days', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const lateOn = (day: string) => toLocalDay(new Date(`${day}T23:30:00`))
  expect(countDaysBetween(lateOn('2026-03-28'), lateOn('2026-03-30')), 'with a day of 23 hours').toBe(2)
  expect(countDaysBetween(lateOn('2026-10-24'), lateOn('2026-10-26')), 'with a day of 25 hours').toBe(2)
})

test('days are clamped to four-digit years', () => {
  expect({ '9999-12-31, 1': addDays('9999-12-31', 1), '9999-12-28, 7': addDays('9999-12-28', 7) }).toEqual({
    '9999-12-31, 1': '9999-12-31',
    '9999-12-28, 7': '9999-12-31',
  })
  expect({ '0000-01-01, -1': addDays('0000-01-01', -1), '0000-01-03, -7': addDays('0000-01-03', -7) }).toEqual({
    '0000-01-01, -1': '0000-01-01',
    '0000-01-03, -7': '0000-01-01',
  })
})
