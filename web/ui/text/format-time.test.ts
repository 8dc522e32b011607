import { expect, test, vi } from 'vitest'
import { formatTime, getLocalTimeZone } from './format-time.ts'

const noon = new Date(2026, 10, 20, 12, 30)

test('each style formats its own parts of the date', () => {
  expect(formatTime(noon)).toBe('Nov 20, 2026')
  expect(formatTime(noon, 'day')).toBe('Friday, November 20')
  expect(formatTime(noon, 'month')).toBe('November 2026')
  expect(formatTime(noon.getTime(), 'date-time')).toContain('Nov 20, 2026')
})

test('an empty time zone means the reader’s', () => {
  expect(formatTime(noon, 'date-time', '')).toBe(formatTime(noon, 'date-time'))
})

test('an invalid date is returned unchanged', () => {
  expect(formatTime('soon')).toBe('soon')
})

test('the time zone is read again after a minute, and UTC if unknown', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const resolvedOptions = Intl.DateTimeFormat().resolvedOptions()
  const optionsSpy = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
  const moveTo = (timeZone: string | undefined) =>
    optionsSpy.mockReturnValue({ ...resolvedOptions, timeZone } as Intl.ResolvedDateTimeFormatOptions)
  try {
    for (const timeZone of ['Etc/Unknown', undefined]) {
      vi.setSystemTime(Date.now() + 60_000)
      moveTo(timeZone)
      expect(getLocalTimeZone()).toBe('UTC')
    }
    moveTo('Asia/Tokyo')
    vi.setSystemTime(Date.now() + 59_999)
    expect(getLocalTimeZone()).toBe('UTC')
    vi.setSystemTime(Date.now() + 1)
    expect(getLocalTimeZone()).toBe('Asia/Tokyo')
  } finally {
    optionsSpy.mockRestore()
    vi.useRealTimers()
  }
})
