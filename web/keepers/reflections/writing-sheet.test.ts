import { expect, test } from 'vitest'
import { countCharacters, countWords } from './writing-sheet.tsx'

test('apostrophes and hyphens join words', () => {
  expect(countWords('')).toBe(0)
  expect(countWords(' \n— * # \t')).toBe(0)
  expect(countWords('Per told me on the quay.')).toBe(6)
  expect(countWords("It’s a well-worn door, isn't it?")).toBe(6)
  expect(countWords('Åse\u0301 in 2026')).toBe(3)
})

test('each character counts as a word in scripts without spaces', () => {
  expect(countWords('日記を書く')).toBe(5)
  expect(countWords('see 海 there')).toBe(3)
})

test('a surrogate pair counts as one character', () => {
  expect(countCharacters('a🌊b')).toBe(3)
})

test('counts fifty thousand words', () => {
  const text = 'harbour lamp, '.repeat(25_000)
  expect(countWords(text)).toBe(50_000)
})
