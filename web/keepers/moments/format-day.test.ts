import { expect, it } from 'vitest'
import { addMonths, countByDay, formatDay, formatMonth, formatYearsAgo, getWeeks } from './format-day.ts'

it('formatDay says Today and Yesterday, and adds the year when it differs', () => {
  expect(formatDay('2026-11-21', '2026-11-21')).toBe('Today')
  expect(formatDay('2026-11-20', '2026-11-21')).toBe('Yesterday')
  expect(formatDay('2026-11-19', '2026-11-21')).toBe('Thursday, November 19')
  expect(formatDay('2025-12-31', '2026-01-02')).toBe('Wednesday, December 31, 2025')
})

it('formatYearsAgo counts years and names the year', () => {
  expect(formatYearsAgo('2025-12-01', '2026-12-01')).toBe('A year ago, 2025')
  expect(formatYearsAgo('2016-12-01', '2026-12-01')).toBe('10 years ago, 2016')
})

it('addMonths crosses year boundaries', () => {
  expect(addMonths('2026-01', -1)).toBe('2025-12')
  expect(addMonths('2026-11', 14)).toBe('2028-01')
  expect(formatMonth('2026-11')).toBe('November 2026')
})

it('months and weeks stop at years 0000 and 9999', () => {
  expect(addMonths('0000-03', -12)).toBe('0000-01')
  expect(addMonths('9999-12', 1)).toBe('9999-12')
  expect(addMonths('9999-11', 12)).toBe('9999-12')
  expect(getWeeks('9999-12')).toHaveLength(5)
  expect(getWeeks('9999-12').at(-1)?.at(-1)).toBe('9999-12-31')
  expect(getWeeks('0000-01')[0]).toEqual(['0000-01-01', '0000-01-02'])
})

it.each([
  ['2026-11', 6, '2026-10-26', '2026-12-06'],
  ['2026-02', 5, '2026-01-26', '2026-03-01'],
  ['2027-02', 4, '2027-02-01', '2027-02-28'],
])('%s has %i weeks, from %s to %s', (month, count, first, last) => {
  const weeks = getWeeks(month)
  expect({ weekCount: weeks.length, first: weeks[0]?.[0], last: weeks.at(-1)?.at(-1) }).toEqual({
    weekCount: count,
    first,
    last,
  })
})

const moments = ['2026-11-30', '2026-11-30', '2026-11-29'].map((localDate) => ({ localDate }))

it('countByDay counts every day once all moments are loaded', () => {
  expect([...countByDay(moments, false)]).toEqual([
    ['2026-11-30', 2],
    ['2026-11-29', 1],
  ])
})

it('countByDay leaves out a day that the next page can continue', () => {
  expect([...countByDay(moments, true)]).toEqual([['2026-11-30', 2]])
  expect(countByDay([], true).size).toBe(0)
})
