import { expect, test } from 'vitest'
import { maxSourceCharacters } from '#contract/keepers/sources.ts'
import { readParts } from './read-parts.ts'
import { limitParts, splitText } from './split-text.ts'

const getTexts = (parts: { text: string }[]) => parts.map(({ text }) => text)

test('Markdown is split at its headings and loses its markup', () => {
  const text = '# The **light**\n\nIt turns.\r\n\n## The lens\n\nIt floats on [mercury](https://example.org).'
  expect(getTexts(splitText(text, 'markdown'))).toEqual(['The light\n\nIt turns.', 'The lens\n\nIt floats on mercury.'])
})

test('a long text is split after a paragraph, sentence or word without losing text', () => {
  const paragraph = `${'The light turns. '.repeat(100)}\n\n`
  for (const text of [
    paragraph.repeat(5),
    'The light turns. '.repeat(1000),
    '光'.repeat(10_000),
    'word '.repeat(3000),
  ]) {
    const parts = getTexts(splitText(text, 'text'))
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(3_000)
    expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
  }
})

test('a text beyond the limit is cut and reported as cut', () => {
  const parts = Array.from({ length: 4 }, (_, page) => ({ text: 'x'.repeat(1_000_000), page: page + 1 }))
  const { parts: limited, isTruncated } = limitParts(parts)
  expect(limited.map(({ page }) => page)).toEqual([1, 2, 3])
  expect(limited.reduce((length, { text }) => length + text.length, 0)).toBe(maxSourceCharacters)
  expect(isTruncated).toBe(true)
  expect(limitParts([{ text: 'short' }, { text: '' }])).toEqual({ parts: [{ text: 'short' }], isTruncated: false })
})

test('a document without text has no parts', async () => {
  expect(await readParts(new Blob(['  \n ']), 'text')).toEqual({ parts: [], isTruncated: false })
})
