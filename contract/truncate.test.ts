import { expect, test } from 'vitest'
import { truncate } from './truncate.ts'

test('truncating never splits a character', () => {
  expect(truncate('Harbour', 4)).toBe('Harb')
  expect(truncate('Harbour', 40)).toBe('Harbour')
  expect(truncate('Out 🚢 again', 5)).toBe('Out ')
  expect(truncate('Out 🚢 again', 6)).toBe('Out 🚢')
})
