import { expect, test } from 'vitest'
import { weatherWords } from './weather-words.ts'

test('weather shows the known parts of temperature and condition', () => {
  const told = (tempC: number | null, condition: string | null) => weatherWords({ tempC, condition, source: 'day-one' })
  expect(told(-1.6, 'Snow')).toBe('−2 °C, Snow')
  expect(told(-0.2, null)).toBe('0 °C')
  expect(told(null, 'partly-cloudy')).toBe('partly cloudy')
  expect(told(null, ' ')).toBe('')
})
