import { expect, test } from 'vitest'
import { formatWeather } from './format-moment.ts'

test('weather shows the known parts of temperature and condition', () => {
  const formatted = (tempC: number | null, condition: string | null) =>
    formatWeather({ tempC, condition, source: 'day-one' })
  expect(formatted(-1.6, 'Snow')).toBe('−2 °C, Snow')
  expect(formatted(-0.2, null)).toBe('0 °C')
  expect(formatted(null, 'partly-cloudy')).toBe('partly cloudy')
  expect(formatted(null, ' ')).toBe('')
})
