import { expect, it } from 'vitest'
import type { CardGroups } from './card-queries.ts'
import { mergeCardGroups } from './card-queries.ts'

const createGroup = (topic: string | null, count: number, ...ids: string[]) =>
  ({ topic, count, cards: ids.map((id) => ({ id })) }) as CardGroups[number]

it('a topic split across pages is merged into one group without duplicates', () => {
  const pages = [
    [createGroup('Sea', 4, 'a', 'b'), createGroup(null, 2, 'c'), createGroup('Quay', 1)],
    [createGroup('Sea', 4, 'b', 'd'), createGroup('Quay', 1, 'e')],
    [createGroup('Sea', 5, 'f'), createGroup(null, 2, 'g')],
  ]
  expect(mergeCardGroups(pages)).toEqual([
    createGroup('Sea', 5, 'a', 'b', 'd', 'f'),
    createGroup(null, 2, 'c', 'g'),
    createGroup('Quay', 1, 'e'),
  ])
})
