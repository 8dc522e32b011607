import { expect, it } from 'vitest'
import type { Topic } from '#contract/keepers/topics.ts'
import { filterTopics, formatTopicCounts, getMentionPath } from './topic-queries.ts'

const none = { moment: 0, reflection: 0, card: 0, voice: 0, logbook: 0 }

it('counts use singular and plural and leave out zeros', () => {
  expect(formatTopicCounts({ ...none, moment: 2, voice: 1 })).toBe('2 moments, 1 voice entry')
  expect(formatTopicCounts(none)).toBe('')
})

it('filterTopics matches names and aliases in any case', () => {
  const topics = [
    { name: 'Father', aliases: ['Old man'] },
    { name: 'Sea', aliases: [] },
  ] as unknown as Topic[]
  expect(filterTopics(topics, ' OLD').map(({ name }) => name)).toEqual(['Father'])
  expect(filterTopics(topics, '')).toHaveLength(2)
  expect(filterTopics(topics, 'x')).toEqual([])
})

it('a mention links to its page with an encoded id', () => {
  expect(getMentionPath('k', { entity: 'reflection', id: 'a&b', at: '2026-11-20T12:00:00Z' })).toBe(
    '/keeper/k/reflection-journal?tab=all&reflection=a%26b',
  )
  expect(getMentionPath('k', { entity: 'moment', id: 'm', at: '2026-11-20T12:00:00Z' })).toBe(
    '/keeper/k/moments?view=calendar&day=2026-11-20&moment=m',
  )
})
