import { expect, it } from 'vitest'
import { asChosen, overlaps } from './overlaps.ts'

it('asks about what both changed, and not about what one of them did', () => {
  const mine = { entry: 'mine', tags: ['a', 'b'], pinned: true, occurredOn: '2026-11-20' }
  const fields = overlaps(mine, { tags: ['a', 'c'], pinned: true, category: 'Work' })
  expect(fields).toEqual([{ name: 'tags', label: 'Tags', yours: 'a, b', current: 'a, c', choiceOnly: true }])
})

it('sends what was chosen, and nothing of what is to stay as it is saved', () => {
  const body = { entry: 'mine', tags: ['a'], audioId: '0af' }
  const fields = overlaps({ tags: ['a'], audioId: '0af' }, { tags: [], audioId: '0be' })
  expect(fields.map(({ yours, current }) => [yours, current])).toEqual([
    ['a', 'Nothing'],
    ['What you chose', 'What is saved now'],
  ])
  expect(asChosen(body, fields, { tags: 'Nothing', audioId: 'What you chose' })).toEqual({
    entry: 'mine',
    audioId: '0af',
  })
  expect(asChosen(body, fields, { tags: 'a', audioId: 'What is saved now' })).toEqual({ entry: 'mine', tags: ['a'] })
})
