import { expect, test } from 'vitest'
import { isTooMuchMarkup } from './too-much-markup.ts'

test.each([
  ['emphasis begun without end', '*a_ '.repeat(2000)],
  ['links begun without end', '[a]('.repeat(500)],
  ['a quote in a quote, many times', '> '.repeat(1000)],
  ['a list in a list, many times', '- '.repeat(1000)],
  ['lists ever further in', Array.from({ length: 300 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n')],
  ['code within words, begun like a fence', '```\\'.repeat(1000)],
  ['the same in the middle of a text', `Before.\n\n${'**a '.repeat(500)}\n\nAfter.`],
])('%s is too much markup', (_, text) => {
  expect(isTooMuchMarkup(text)).toBe(true)
})

test.each([
  ['a long answer', 'Some **bold** words and `code` in it.\n\n'.repeat(3000)],
  ['a long list', '- **one**: `two` [three](https://a.example)\n'.repeat(500)],
  ['a wide table', `${'| **a** | _b_ | `c` | [d](https://a.example) |\n'.repeat(200)}`],
  ['code full of signs', `\`\`\`c\n${'*a[_b] = **c;\n'.repeat(500)}\`\`\``],
  ['code that is indented far', `\`\`\`\n${' '.repeat(400)}x\n\`\`\``],
])('%s is not too much markup', (_, text) => {
  expect(isTooMuchMarkup(text)).toBe(false)
})
