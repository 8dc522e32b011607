import type { Topic } from '#contract/keepers/topics.ts'
import type { TopicDetails } from '../topics/topic-queries.ts'

const demoCreatedAt = '2026-03-02T08:00:00.000Z'
const emptyCounts = { moment: 0, reflection: 0, card: 0, voice: 0, logbook: 0 }

const createTopic = (id: string, name: string, overrides: Partial<Topic> = {}): Topic => ({
  id,
  keeperId: 'demo',
  createdAt: demoCreatedAt,
  updatedAt: demoCreatedAt,
  rev: 1,
  name,
  aliases: [],
  color: 'iron-gall',
  note: '',
  pinned: false,
  counts: emptyCounts,
  total: 0,
  firstSaidAt: null,
  lastSaidAt: null,
  ...overrides,
})

const boatTopic = createTopic('sample-topic-boat', 'Boat', {
  aliases: ['The old lady'],
  color: 'verdigris',
  pinned: true,
  note: 'Everything about mending her.',
  counts: { ...emptyCounts, moment: 2 },
  total: 2,
  firstSaidAt: '2026-03-08T18:00:00.000Z',
  lastSaidAt: '2026-04-19T18:00:00.000Z',
})
const fatherTopic = createTopic('sample-topic-father', 'Father', {
  color: 'madder',
  counts: { ...emptyCounts, moment: 1 },
  total: 1,
  firstSaidAt: '2026-04-19T18:00:00.000Z',
  lastSaidAt: '2026-04-19T18:00:00.000Z',
})

export const demoTopics: Topic[] = [boatTopic, fatherTopic]

const demoMentions = [
  {
    entity: 'moment' as const,
    id: 'sample-bead-2',
    title: 'She floats',
    excerpt: 'Father held the line and said nothing, which from him is a speech.',
    at: '2026-04-19T18:00:00.000Z',
  },
  {
    entity: 'moment' as const,
    id: 'sample-bead-1',
    title: 'Dust to the elbows',
    excerpt: 'The third weekend under the keel.',
    at: '2026-03-08T18:00:00.000Z',
  },
]

export function getDemoTopic(id: string): TopicDetails {
  if (id === fatherTopic.id)
    return {
      ...fatherTopic,
      mentions: demoMentions.slice(0, 1),
      together: [{ id: boatTopic.id, name: boatTopic.name, color: boatTopic.color, count: 1 }],
      merges: [],
    }
  return {
    ...boatTopic,
    mentions: demoMentions,
    together: [{ id: fatherTopic.id, name: fatherTopic.name, color: fatherTopic.color, count: 1 }],
    merges: [],
  }
}
