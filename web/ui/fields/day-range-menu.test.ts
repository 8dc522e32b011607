import { expect, it } from 'vitest'
import { addDays, toLocalDay } from '../text/days.ts'
import { findPreset, getFirstDay } from './day-range-menu.tsx'

const evening = new Date(2026, 10, 30, 23, 30)

it('a span of days ends today', () => {
  expect(getFirstDay(1, { isUtc: false }, evening)).toBe('2026-11-30')
  expect(getFirstDay(7, { isUtc: false }, evening)).toBe('2026-11-24')
})

it('a span in UTC never starts after the local midnight', () => {
  const first = getFirstDay(1, { isUtc: true }, evening)
  expect(Date.parse(`${first}T00:00:00Z`)).toBeLessThanOrEqual(new Date(2026, 10, 30).getTime())
})

it('the menu names a span that ends today, and shows the fields for any other', () => {
  const weekAgo = addDays(toLocalDay(new Date()), -6)
  expect(findPreset({ from: '', to: '', isUtc: false })).toBe('')
  expect(findPreset({ from: weekAgo, to: '', isUtc: false })).toBe('7')
  expect(findPreset({ from: weekAgo, to: weekAgo, isUtc: false })).toBe('choose')
  expect(findPreset({ from: '', to: weekAgo, isUtc: false })).toBe('choose')
  expect(findPreset({ from: 'yesterday', to: '', isUtc: false })).toBe('choose')
})
