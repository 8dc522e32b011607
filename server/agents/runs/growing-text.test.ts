import { expect, it } from 'vitest'
import { GrowingText } from './growing-text.ts'

it('a text buffer reads correctly from any position between appends', () => {
  const text = new GrowingText()
  let expected = ''
  for (let piece = 0; piece < 1000; piece++) {
    text.append(`${piece} `)
    expected += `${piece} `
    expect(text.length).toBe(expected.length)
    if (piece % 37 === 0) expect(text.from(piece)).toBe(expected.slice(piece))
  }
  expect(`${text}`).toBe(expected)
  expect(text.from(expected.length)).toBe('')
})
