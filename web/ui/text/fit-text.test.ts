import { expect, it } from 'vitest'
import { fitLine, wrapLines } from './fit-text.ts'

const measure = (text: string) => [...text].length * 10

it('a line that fits stays, a longer one ends in an ellipsis', () => {
  expect(fitLine(measure, 'Harbour', 70)).toBe('Harbour')
  expect(fitLine(measure, 'Harbour year', 80)).toBe('Harbour…')
  expect(fitLine(measure, 'Harbour', 5)).toBe('H…')
})

it('words wrap, long words break, and line breaks stay', () => {
  expect(wrapLines(measure, 'one two three', 80, 9)).toEqual(['one two', 'three'])
  expect(wrapLines(measure, 'abcdefghij kl', 40, 9)).toEqual(['abcd', 'efgh', 'ij', 'kl'])
  expect(wrapLines(measure, 'a\n\nb', 40, 9)).toEqual(['a', '', 'b'])
  expect(wrapLines(measure, '', 40, 9)).toEqual([''])
})

it('lines stop at the maximum, the last one with an ellipsis', () => {
  const lines = wrapLines(measure, 'one two three four five six', 80, 2)
  expect(lines).toEqual(['one two', 'three…'])
  for (const line of wrapLines(measure, 'x'.repeat(100_000), 80, 5)) expect(measure(line)).toBeLessThanOrEqual(80)
})

it('surrogate pairs are never split', () => {
  expect(fitLine(measure, '🌊🌊🌊🌊', 30)).toBe('🌊🌊…')
  expect(wrapLines(measure, '🌊🌊🌊', 20, 3)).toEqual(['🌊🌊', '🌊'])
})
