import { expect, it } from 'vitest'
import { addDays, toLocalDay } from '../text/days.ts'
import { findPreset, getFirstDay } from './day-range-menu.tsx'

const evening = new Date(2026, 10, 30, 23, 30)

it('today is the last of the days', () => {
  expect(getFirstDay(1, false, evening)).toBe('2026-11-30')
  expect(getFirstDay(7, false, evening)).toBe('2026-11-24')
})

it('a span in UTC never begins after midnight here', () => {
  const first = getFirstDay(1, true, evening)
  expect(Date.parse(`${first}T00:00:00Z`)).toBeLessThanOrEqual(new Date(2026, 10, 30).getTime())
})

it('the menu names a span that ends today, and shows the fields for any other', () => {
  const weekAgo = addDays(toLocalDay(new Date()), -6)
  expect(findPreset('', '', false)).toBe('')
  expect(findPreset(weekAgo, '', false)).toBe('7')
  expect(findPreset(weekAgo, weekAgo, false)).toBe('choose')
  expect(findPreset('', weekAgo, false)).toBe('choose')
  expect(findPreset('yesterday', '', false)).toBe('choose')
})
