import { expect, it } from 'vitest'
import { stripMarkdown, toPlainText } from './plain-text.ts'

it.each([
  ['# Quay\n\n- **Per** told _me_ of [the flat](https://example.org).', 'Quay Per told me of the flat.'],
  ['un**believ**able, ***all* of it**, ~~gone~~ and __said__', 'unbelievable, all of it, gone and said'],
  ['> quoted\n> - [x] done\n> - [ ] open\n\n---\n+ last', 'quoted done open last'],
  ['![the quay](/a_b_c.jpg) and [a _fine_ day](https://x.org/Day_(film) "a title")', 'the quay and a fine day'],
  ['`npm_run **x**` and ``a ` b``', 'npm_run **x** and a ` b'],
  [
    'before\n```ts\nconst a = b * c * d\n# not a title\n```\nafter *all*',
    'before const a = b * c * d # not a title after all',
  ],
  ['\\*not bold\\* and <https://x.org/a_b_c>', '*not bold* and https://x.org/a_b_c'],
])('%j becomes the text a reader sees', (markdown, plainText) => {
  expect(toPlainText(markdown)).toBe(plainText)
})

it.each([
  '2 * 3 * 4 and snake_case_name and __init',
  '3. May, by the sea: 2**8 is 256',
  '#harbour, see [sic] and [1], 5 > 3, a - b, ~5 km',
  '*) a foot-note',
  'She said: (_) and ** and `',
])('%j has no markup', (text) => {
  expect(toPlainText(text)).toBe(text)
})

it('unclosed markup of a truncated text is removed', () => {
  expect(toPlainText('It was **a very long')).toBe('It was a very long')
  expect(toPlainText('See [the flat](https://example.org/some/lo')).toBe('See the flat')
  expect(toPlainText('```\ncode that goes on')).toBe('code that goes on')
  expect(toPlainText('```npm start``` runs *it*\nand goes on')).toBe('npm start runs it and goes on')
  expect(toPlainText('```md\n```js\na * b\n```\nafter *all*')).toBe('```js a * b after all')
})

it('markup never spans paragraphs', () => {
  expect(toPlainText('*one\n\ntwo* and [three\n\nfour](five)')).toBe('*one two* and [three four](five)')
})

it('line breaks stay, and seams mark where markup was removed', () => {
  expect(stripMarkdown('# The\nhar**bou**r')).toEqual({ text: 'The\nharbour', seams: [0, 7, 10] })
})

it.each([
  '*a_',
  '[',
  '[a](',
  '](a "',
  '`',
  '`a``',
  '> ',
  '- ',
  '**a',
  '_a*b',
  '\\',
  '~~a',
  '[a](b(c)',
  '<http:',
  '\n```\n',
  '* ',
])('%j repeated 200,000 times takes linear time', (fragment) => {
  const markdown = fragment.repeat(200_000)
  expect(toPlainText(markdown).length).toBeLessThanOrEqual(markdown.length)
})
