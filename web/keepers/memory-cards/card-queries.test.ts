import { expect, it } from 'vitest'
import type { CardGroups } from './card-queries.ts'
import { mergeCardGroups } from './card-queries.ts'

const group = (topic: string | null, count: number, ...ids: string[]) =>
  ({ topic, count, cards: ids.map((id) => ({ id })) }) as CardGroups[number]

it('a topic split across pages is merged into one group without duplicates', () => {
  const pages = [
    [group('Sea', 4, 'a', 'b'), group(null, 2, 'c'), group('Quay', 1)],
    [group('Sea', 4, 'b', 'd'), group('Quay', 1, 'e')],
    [group('Sea', 5, 'f'), group(null, 2, 'g')],
  ]
  expect(mergeCardGroups(pages)).toEqual([
    group('Sea', 5, 'a', 'b', 'd', 'f'),
    group(null, 2, 'c', 'g'),
    group('Quay', 1, 'e'),
  ])
})
