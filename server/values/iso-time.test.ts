import { expect, test } from 'vitest'
import { toIsoTime } from './iso-time.ts'

test('a time reads as toISOString writes it, in every year', () => {
  const times = [0, -1, 1_763_640_000_123, 86_399_999, 86_400_000, 253_402_300_799_999, -62_198_755_200_000, 8.64e15]
  for (const time of [...times, ...times]) expect(toIsoTime(time)).toBe(new Date(time).toISOString())
  expect(() => toIsoTime(Number.NaN)).toThrow(RangeError)
})
