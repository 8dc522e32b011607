import { expect, it } from 'vitest'
import { TextBuffer } from './text-buffer.ts'

it('a text buffer reads correctly from any position between appends', () => {
  const text = new TextBuffer()
  let expected = ''
  for (let chunk = 0; chunk < 1000; chunk++) {
    text.append(`${chunk} `)
    expected += `${chunk} `
    expect(text.length).toBe(expected.length)
    if (chunk % 37 === 0) expect(text.sliceFrom(chunk)).toBe(expected.slice(chunk))
  }
  expect(`${text}`).toBe(expected)
  expect(text.sliceFrom(expected.length)).toBe('')
})
