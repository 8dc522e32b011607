import { expect, test } from 'vitest'
import { readNotionMarkdown } from './notion.ts'

test('a line of a long value that looks like an earlier property stays in the value', () => {
  const lines = [
    '# Harbour',
    '',
    'Status: open',
    'Note: The board said',
    'Status: closed',
    'until noon.',
    '',
    'The body.',
  ]
  const { properties, body } = readNotionMarkdown(lines.join('\n'), { isRow: true })
  expect(Object.fromEntries(properties)).toEqual({
    Status: 'open',
    Note: 'The board said\nStatus: closed\nuntil noon.',
  })
  expect(body).toBe('The body.')
})
