import { expect, test } from 'vitest'
import { pluralize } from './pluralize.ts'

test('only a count of 1 is singular', () => {
  const labels = [0, 1, 2, 1000].map((count) => pluralize(count, 'frame'))
  expect(labels).toEqual(['0 frames', '1 frame', '2 frames', '1,000 frames'])
  expect({
    '1, entry, entries': pluralize(1, 'entry', 'entries'),
    '9, entry, entries': pluralize(9, 'entry', 'entries'),
  }).toEqual({ '1, entry, entries': '1 entry', '9, entry, entries': '9 entries' })
})
