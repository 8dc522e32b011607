import { expect, test } from 'vitest'
import { firstCharacters } from './first-characters.ts'

test('a text is cut where it may end, and never through the middle of a character', () => {
  expect(firstCharacters('Harbour', 4)).toBe('Harb')
  expect(firstCharacters('Harbour', 40)).toBe('Harbour')
  expect(firstCharacters('Out 🚢 again', 5)).toBe('Out ')
  expect(firstCharacters('Out 🚢 again', 6)).toBe('Out 🚢')
})
