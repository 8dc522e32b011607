import { expect, test } from 'vitest'
import { markdownBlocks } from './markdown-blocks.ts'

test('paragraphs are cut at blank lines and together are the text again', () => {
  const text = 'One.\n\nTwo\nlines.\n\n\nThree'
  expect(markdownBlocks(text)).toEqual(['One.\n', 'Two\nlines.\n\n', 'Three'])
  expect(markdownBlocks(text).join('\n')).toBe(text)
})

test('a fence is never cut, open or closed', () => {
  expect(markdownBlocks('```js\na\n\nb')).toHaveLength(1)
  expect(markdownBlocks('```js\na\n\nb\n```\n\nafter')).toEqual(['```js\na\n\nb\n```\n', 'after'])
})

test('a list whose items stand apart stays one list', () => {
  expect(markdownBlocks('1. a\n\n2. b\n\n   more\n\nText')).toEqual(['1. a\n\n2. b\n\n   more\n', 'Text'])
})

test('nothing is one empty block', () => {
  expect(markdownBlocks('')).toEqual([''])
})
