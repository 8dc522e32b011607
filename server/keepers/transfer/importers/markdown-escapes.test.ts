import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { expect, it } from 'vitest'
import { removeNeedlessEscapes } from './markdown-links.ts'

it.each([
  ['on my e\\-reader for 30\\-minutes \\(in parentheses\\)', 'on my e-reader for 30-minutes (in parentheses)'],
  ['it cost 3\\.50 \\+ tip\\! file\\_name \\#tag', 'it cost 3.50 + tip! file_name #tag'],
  ['\\*not bold\\*', '\\*not bold\\*'],
  ['1\\. first', '1\\. first'],
  ['In 1999\\. Then', 'In 1999. Then'],
  ['\\# no heading', '\\# no heading'],
  ['\\#tag', '#tag'],
  ['# Heading \\#', '# Heading \\#'],
  ['In C\\#', 'In C#'],
  ['\\- no list', '\\- no list'],
  ['\\-5 degrees', '-5 degrees'],
  ['\\---', '\\---'],
  ['\\> no quote', '\\> no quote'],
  ['`a\\-b`', '`a\\-b`'],
  ['`a\nb\\-c`\n\nd\\-e', '`a\nb\\-c`\n\nd-e'],
  ['```\na\\-b\n```\nc\\-d', '```\na\\-b\n```\nc-d'],
  ['see \\[1\\]\\(note\\)', 'see \\[1\\]\\(note)'],
])('%j becomes %j', (source, cleaned) => {
  expect(removeNeedlessEscapes(source)).toBe(cleaned)
})

const toTree = (text: string) => {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  return JSON.stringify(tree, (key, value) => (key === 'position' ? undefined : value))
}

it('removing escapes never changes what is read', () => {
  const chunk = fc.constantFrom(
    ...'\\-.!#*_[]()`~<>&:;/@+=|$ \n1a'.split(''),
    'www',
    'https',
    '\\*',
    '\\_',
    '\\-',
    '\\.',
    '\\#',
    'word',
    'a@b.c',
    '---',
  )
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 14 }), (chunks) => {
      const text = chunks.join('')
      // A backslash at the end of a line is a break, as the line end is for people.
      fc.pre(!/\\\n|\\$/.test(text))
      expect(toTree(removeNeedlessEscapes(text))).toBe(toTree(text))
    }),
    { numRuns: 2000 },
  )
})

it('a long line of marks is read once', () => {
  const text = '\\_a@'.repeat(50_000)
  expect(removeNeedlessEscapes(text)).toBe(text)
  expect(removeNeedlessEscapes('\\-a'.repeat(50_000))).toBe('-a'.repeat(50_000))
})
