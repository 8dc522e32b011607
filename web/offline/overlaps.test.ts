import { expect, it } from 'vitest'
import { applyChoices, findOverlaps } from './overlaps.ts'

it('only fields that both changed differently overlap', () => {
  const local = { entry: 'mine', tags: ['a', 'b'], pinned: true, occurredOn: '2026-11-20' }
  const fields = findOverlaps(local, { tags: ['a', 'c'], pinned: true, category: 'Work' })
  expect(fields).toEqual([{ name: 'tags', label: 'Tags', yours: 'a, b', current: 'a, c', choiceOnly: true }])
})

it('only choices that differ from the saved version are sent', () => {
  const body = { entry: 'mine', tags: ['a'], audioId: '0af' }
  const fields = findOverlaps({ tags: ['a'], audioId: '0af' }, { tags: [], audioId: '0be' })
  expect(fields.map(({ yours, current }) => [yours, current])).toEqual([
    ['a', 'Nothing'],
    ['Your choice', 'Saved now'],
  ])
  expect(applyChoices(body, fields, { tags: 'Nothing', audioId: 'Your choice' })).toEqual({
    entry: 'mine',
    audioId: '0af',
  })
  expect(applyChoices(body, fields, { tags: 'a', audioId: 'Saved now' })).toEqual({ entry: 'mine', tags: ['a'] })
})
