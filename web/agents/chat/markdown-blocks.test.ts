import { expect, test } from 'vitest'
import { mergeShortBlocks, splitMarkdownBlocks } from './markdown-blocks.ts'

test('paragraphs are split at blank lines and join to the same text', () => {
  const text = 'One.\n\nTwo\nlines.\n\n\nThree'
  expect(splitMarkdownBlocks(text)).toEqual(['One.\n', 'Two\nlines.\n\n', 'Three'])
  expect(splitMarkdownBlocks(text).join('\n')).toBe(text)
})

test('a fence is never split, open or closed', () => {
  expect(splitMarkdownBlocks('```js\na\n\nb')).toHaveLength(1)
  expect(splitMarkdownBlocks('```js\na\n\nb\n```\n\nafter')).toEqual(['```js\na\n\nb\n```\n', 'after'])
})

test('inline code is no fence, and a fence with a language closes none', () => {
  expect(splitMarkdownBlocks('```a``` b\n\nafter')).toEqual(['```a``` b\n', 'after'])
  expect(splitMarkdownBlocks('```md\n```js\n\na\n```\n\nafter')).toEqual(['```md\n```js\n\na\n```\n', 'after'])
  expect(splitMarkdownBlocks('~~~\n```\n\na\n~~~~\n\nafter')).toEqual(['~~~\n```\n\na\n~~~~\n', 'after'])
})

test('a loose list stays one block', () => {
  expect(splitMarkdownBlocks('1. a\n\n2. b\n\n   more\n\nText')).toEqual(['1. a\n\n2. b\n\n   more\n', 'Text'])
})

test('an empty text is one empty block', () => {
  expect(splitMarkdownBlocks('')).toEqual([''])
})

test('short blocks are merged and join to the same text', () => {
  const text = `${'One.\n\n'.repeat(100)}${'Long '.repeat(60)}\n\nEnd.`
  const joined = mergeShortBlocks(splitMarkdownBlocks(text))
  expect(joined.join('\n')).toBe(text)
  expect(joined.length).toBeLessThan(10)
})

test('merged blocks stay merged while the text grows', () => {
  const source = `${'A few words.\n\n'.repeat(60)}## Title\n\n${'- item\n'.repeat(20)}\nAfter.`
  let previousBlocks: string[] = []
  for (let end = 1; end <= source.length; end += 7) {
    const joined = mergeShortBlocks(splitMarkdownBlocks(source.slice(0, end)))
    expect(joined.slice(0, previousBlocks.length - 1)).toEqual(previousBlocks.slice(0, -1))
    previousBlocks = joined
  }
  expect(previousBlocks.length).toBeGreaterThan(3)
})

test('blocks with too much markup are never merged', () => {
  const tooMuch = '*a_ '.repeat(300).trim()
  const joined = mergeShortBlocks(splitMarkdownBlocks(`Before.\n\n${tooMuch}\n\nAfter.\n\nLater.`))
  expect(joined.map((block) => block.trim())).toEqual(['Before.', tooMuch, 'After.\n\nLater.'])
})
