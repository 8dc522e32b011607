import type { Topic } from '#contract/keepers/topics.ts'
import type { WholeTopic } from '../topics/topic-queries.ts'

const at = '2026-03-02T08:00:00.000Z'
const counts = { moment: 0, reflection: 0, card: 0, voice: 0, logbook: 0 }

const topic = (id: string, name: string, more: Partial<Topic> = {}): Topic => ({
  id,
  keeperId: 'demo',
  createdAt: at,
  updatedAt: at,
  rev: 1,
  name,
  aliases: [],
  color: 'iron-gall',
  note: '',
  pinned: false,
  counts,
  total: 0,
  firstSaidAt: null,
  lastSaidAt: null,
  ...more,
})

const boat = topic('sample-topic-boat', 'Boat', {
  aliases: ['The old lady'],
  color: 'verdigris',
  pinned: true,
  note: 'Everything about mending her.',
  counts: { ...counts, moment: 2 },
  total: 2,
  firstSaidAt: '2026-03-08T18:00:00.000Z',
  lastSaidAt: '2026-04-19T18:00:00.000Z',
})
const father = topic('sample-topic-father', 'Father', {
  color: 'madder',
  counts: { ...counts, moment: 1 },
  total: 1,
  firstSaidAt: '2026-04-19T18:00:00.000Z',
  lastSaidAt: '2026-04-19T18:00:00.000Z',
})

export const demoTopics: Topic[] = [boat, father]

const mentions = [
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

export function demoTopic(id: string): WholeTopic {
  if (id === father.id)
    return {
      ...father,
      mentions: mentions.slice(0, 1),
      together: [{ id: boat.id, name: boat.name, color: boat.color, count: 1 }],
      merges: [],
    }
  return {
    ...boat,
    mentions: mentions,
    together: [{ id: father.id, name: father.name, color: father.color, count: 1 }],
    merges: [],
  }
}
