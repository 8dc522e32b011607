import { expect, test } from 'vitest'
import { toPlainExcerpt } from './plain-excerpt.ts'

test('an excerpt contains the text without Markdown syntax', () => {
  expect(toPlainExcerpt('# Quay\n\n- **Per** told _me_ of [the flat](https://example.org).')).toBe(
    'Quay Per told me of the flat.',
  )
  expect(toPlainExcerpt('2 * 3 * 4 and snake_case_name')).toBe('2 * 3 * 4 and snake_case_name')
})

test('a long text is cut between two words', () => {
  const excerpt = toPlainExcerpt('harbour '.repeat(500), 60)
  expect(excerpt).toMatch(/^(harbour )+harbour…$/)
  expect(excerpt.length).toBeLessThanOrEqual(61)
})
