import { expect, test } from 'vitest'
import { countCharacters, countWords } from './count-words.ts'

test('words are what lies between spaces and marks; what an apostrophe or a hyphen joins is one', () => {
  expect(countWords('')).toBe(0)
  expect(countWords(' \n— * # \t')).toBe(0)
  expect(countWords('Per told me on the quay.')).toBe(6)
  expect(countWords("It’s a well-worn door, isn't it?")).toBe(6)
  expect(countWords('Åse\u0301 in 2026')).toBe(3)
})

test('where nothing stands between the words, each sign is one', () => {
  expect(countWords('日記を書く')).toBe(5)
  expect(countWords('see 海 there')).toBe(3)
})

test('a sign of two code units is one character', () => {
  expect(countCharacters('a🌊b')).toBe(3)
})

test('fifty thousand words are counted', () => {
  const text = 'harbour lamp, '.repeat(25_000)
  expect(countWords(text)).toBe(50_000)
})
