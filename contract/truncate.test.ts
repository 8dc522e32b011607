import { expect, test } from 'vitest'
import { truncate } from './truncate.ts'

test('a text is cut where it may end, and never through the middle of a character', () => {
  expect(truncate('Harbour', 4)).toBe('Harb')
  expect(truncate('Harbour', 40)).toBe('Harbour')
  expect(truncate('Out 🚢 again', 5)).toBe('Out ')
  expect(truncate('Out 🚢 again', 6)).toBe('Out 🚢')
})
