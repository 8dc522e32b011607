import { expect, test } from 'vitest'
import { formatTime } from './format-time.ts'

const noon = new Date(2026, 10, 20, 12, 30)

test('tables say the date short, titles say the day', () => {
  expect(formatTime(noon)).toBe('Nov 20, 2026')
  expect(formatTime(noon, 'day')).toBe('Friday, November 20')
  expect(formatTime(noon, 'month')).toBe('November 2026')
  expect(formatTime(noon.getTime(), 'date-time')).toContain('Nov 20, 2026')
})

test('what is no date is shown as it came', () => {
  expect(formatTime('soon')).toBe('soon')
})
