import { expect, test } from 'vitest'
import { markdownBlocks, readTogether } from './markdown-blocks.ts'

test('paragraphs are split at blank lines and join to the same text', () => {
  const text = 'One.\n\nTwo\nlines.\n\n\nThree'
  expect(markdownBlocks(text)).toEqual(['One.\n', 'Two\nlines.\n\n', 'Three'])
  expect(markdownBlocks(text).join('\n')).toBe(text)
})

test('a fence is never split, open or closed', () => {
  expect(markdownBlocks('```js\na\n\nb')).toHaveLength(1)
  expect(markdownBlocks('```js\na\n\nb\n```\n\nafter')).toEqual(['```js\na\n\nb\n```\n', 'after'])
})

test('inline code is no fence, and a fence with a language closes none', () => {
  expect(markdownBlocks('```a``` b\n\nafter')).toEqual(['```a``` b\n', 'after'])
  expect(markdownBlocks('```md\n```js\n\na\n```\n\nafter')).toEqual(['```md\n```js\n\na\n```\n', 'after'])
  expect(markdownBlocks('~~~\n```\n\na\n~~~~\n\nafter')).toEqual(['~~~\n```\n\na\n~~~~\n', 'after'])
})

test('a loose list stays one block', () => {
  expect(markdownBlocks('1. a\n\n2. b\n\n   more\n\nText')).toEqual(['1. a\n\n2. b\n\n   more\n', 'Text'])
})

test('an empty text is one empty block', () => {
  expect(markdownBlocks('')).toEqual([''])
})

test('short blocks are merged and join to the same text', () => {
  const text = `${'One.\n\n'.repeat(100)}${'Long '.repeat(60)}\n\nEnd.`
  const joined = readTogether(markdownBlocks(text))
  expect(joined.join('\n')).toBe(text)
  expect(joined.length).toBeLessThan(10)
})

test('merged blocks stay merged while the text grows', () => {
  const words = `${'A few words.\n\n'.repeat(60)}## Title\n\n${'- item\n'.repeat(20)}\nAfter.`
  let before: string[] = []
  for (let end = 1; end <= words.length; end += 7) {
    const joined = readTogether(markdownBlocks(words.slice(0, end)))
    expect(joined.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
    before = joined
  }
  expect(before.length).toBeGreaterThan(3)
})

test('blocks with too much markup are never merged', () => {
  const tooMuch = '*a_ '.repeat(300).trim()
  const joined = readTogether(markdownBlocks(`Before.\n\n${tooMuch}\n\nAfter.\n\nLater.`))
  expect(joined.map((block) => block.trim())).toEqual(['Before.', tooMuch, 'After.\n\nLater.'])
})
