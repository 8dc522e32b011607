import { expect, test } from 'vitest'
import { countCharacters, countWords, emptyTextCounts, updateTextCounts } from './text-counts.ts'

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

test('countWords counts fifty thousand words', () => {
  const text = 'harbour lamp, '.repeat(25_000)
  expect(countWords(text)).toBe(50_000)
})

test('updating the counts matches counting the whole text', () => {
  const edits = [
    'Per told me',
    'Per told me on',
    "Per told me, isn't it",
    'Per me, isn it',
    '海 Per me,\nisn it 🌊🌊',
    '海 Per me,\nisnit 🌊',
    'aaa aaa',
    'aaa aaa aaa',
    'aaa',
    'see海there',
    '',
  ]
  let counts = emptyTextCounts
  for (const text of edits) {
    counts = updateTextCounts(counts, text)
    expect(counts).toEqual({ text, words: countWords(text), characters: countCharacters(text) })
  }
})
