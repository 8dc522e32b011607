import { expect, it } from 'vitest'
import { groupByYear, listCategories, listTags, logbookKind, voiceKind } from './entry-kinds.ts'

const createEntry = (id: string, occurredOn: string, category: string, tags: string[] = []) => ({
  ...logbookKind.createEmpty(id, 'k', `${occurredOn}T10:00:00.000Z`),
  category,
  tags,
})
const allEntries = [
  createEntry('a', '2025-06-01', 'Work', ['sea', 'Élan']),
  createEntry('b', '2026-02-01', 'Work', ['sea']),
  createEntry('c', '2026-01-01', 'Work'),
  createEntry('d', '2026-05-01', 'Family', ['home']),
]

it('years are sorted newest first, categories alphabetically, entries by day', () => {
  expect(
    groupByYear(allEntries).map(({ year, categories }) => [
      year,
      ...categories.map(({ category, entries }) => `${category}: ${entries.map(({ id }) => id).join()}`),
    ]),
  ).toEqual([
    ['2026', 'Family: d', 'Work: c,b'],
    ['2025', 'Work: a'],
  ])
})

it('categories and tags are listed once, alphabetically', () => {
  expect({ categories: listCategories(allEntries), tags: listTags(allEntries) }).toEqual({
    categories: ['Family', 'Work'],
    tags: ['Élan', 'home', 'sea'],
  })
})

it('pinned entries come first, even while queued', () => {
  const [first] = allEntries
  if (!first) throw new Error('no sample')
  const pinned = logbookKind.applyChanges(first, { pinned: true })
  expect(logbookKind.sort([...allEntries.slice(1), pinned]).map(({ id }) => id)).toEqual(['a', 'd', 'b', 'c'])
})

const voiceEntry = {
  ...voiceKind.createEmpty('v', 'k', '2026-11-20T14:30:00.000Z'),
  audioId: 'first',
  durationMs: 61_000,
}

it('replacing a recording clears the duration of the previous one', () => {
  expect(voiceKind.applyChanges(voiceEntry, { audioId: 'second' })).toMatchObject({
    id: 'v',
    audioId: 'second',
    durationMs: null,
  })
  expect(voiceKind.applyChanges(voiceEntry, { belief: 'b' })).toMatchObject({
    belief: 'b',
    audioId: 'first',
    durationMs: 61_000,
  })
  expect(voiceKind.applyChanges(voiceEntry, { audioId: 'first' })).toMatchObject({ durationMs: 61_000 })
})
