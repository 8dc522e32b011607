import { expect, test, vi } from 'vitest'
import { formatTime, getLocalTimeZone } from './format-time.ts'

const noon = new Date(2026, 10, 20, 12, 30)

test('each style formats its own parts of the date', () => {
  expect(formatTime(noon)).toBe('Nov 20, 2026')
  expect(formatTime(noon, 'day')).toBe('Friday, November 20')
  expect(formatTime(noon, 'month')).toBe('November 2026')
  expect(formatTime(noon.getTime(), 'date-time')).toContain('Nov 20, 2026')
})

test('an invalid date is returned unchanged', () => {
  expect(formatTime('soon')).toBe('soon')
})

test('a time zone the browser does not know becomes UTC', () => {
  const resolvedOptions = Intl.DateTimeFormat().resolvedOptions()
  const optionsSpy = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
  try {
    for (const timeZone of ['Etc/Unknown', undefined]) {
      optionsSpy.mockReturnValue({ ...resolvedOptions, timeZone } as Intl.ResolvedDateTimeFormatOptions)
      expect(getLocalTimeZone()).toBe('UTC')
    }
    optionsSpy.mockReturnValue({ ...resolvedOptions, timeZone: 'Asia/Tokyo' })
    expect(getLocalTimeZone()).toBe('Asia/Tokyo')
  } finally {
    optionsSpy.mockRestore()
  }
})
