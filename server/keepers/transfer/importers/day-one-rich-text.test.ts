import { expect, it } from 'vitest'
import { readRichText } from './day-one-rich-text.ts'

it('rich text keeps headings, lists with depth, checkboxes, quotes, bold and links', () => {
  const contents = [
    { text: 'Market\n', attributes: { line: { header: 1 } } },
    { text: 'bread\n', attributes: { line: { listStyle: 'bulleted', indentLevel: 1 } } },
    { text: 'rye\n', attributes: { line: { listStyle: 'bulleted', indentLevel: 2 } } },
    { text: 'call Ben\n', attributes: { line: { listStyle: 'checkbox', checked: true, indentLevel: 1 } } },
    { text: 'said twice\n', attributes: { line: { quote: true, indentLevel: 1 } } },
    { text: 'bold', attributes: { bold: true } },
    { text: ' and a ' },
    { text: 'link', attributes: { linkURL: 'https://sea.example/' } },
  ]
  expect(readRichText({ contents, meta: { version: 1 } })).toBe(
    '# Market\n\n- bread\n  - rye\n- [x] call Ben\n\n> said twice\n\n**bold** and a [link](https://sea.example/)',
  )
  expect(readRichText(JSON.stringify({ contents }))).toContain('# Market')
})

it('rich text keeps numbers, code, rules, strikethrough and line breaks', () => {
  const line = (attributes: object) => ({ attributes: { line: attributes } })
  const contents = [
    { text: 'one\ntwo\n\nthree\n' },
    { text: 'first\n', ...line({ listStyle: 'numbered', listIndex: '7', indentLevel: 1 }) },
    { text: 'second\n', ...line({ listStyle: 'numbered', listIndex: '8', indentLevel: 1 }) },
    { embeddedObjects: [{ type: 'horizontalRuleLine' }] },
    { text: 'let a = 1\n', ...line({ codeBlock: true }) },
    { text: 'a * 2\n', ...line({ codeBlock: true }) },
    { text: 'gone', attributes: { strikethrough: true } },
    { text: ' *not bold* file_name #tag e-reader 1. 3.50' },
  ]
  expect(readRichText({ contents })).toBe(
    'one\ntwo\n\nthree\n\n7. first\n8. second\n\n---\n\n```\nlet a = 1\na * 2\n```\n\n~~gone~~ \\*not bold\\* file_name #tag e-reader 1. 3.50',
  )
})

it('rich text that is no document is refused', () => {
  for (const source of ['', '{', 'null', '[]', 5, { contents: 'x' }]) expect(readRichText(source)).toBeUndefined()
})
