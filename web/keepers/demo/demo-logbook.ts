import type { LogbookEntry } from '#contract/keepers/logbook.ts'

const sampleEntries = [
  {
    label: 'The one who stays',
    entry: 'I stand at the door until the car is gone, then a little longer. I learned it from her and I mean it now.',
    category: 'Family',
    tags: ['staying', 'mother'],
    occurredOn: '2026-03-01',
  },
  {
    label: 'First watch',
    entry: 'I took the night watch without being asked. I was tired and I was somebody.',
    category: 'Work',
    tags: ['harbour'],
    occurredOn: '2025-10-14',
    pinned: true,
  },
  {
    label: 'Tenor, after all',
    entry: 'I am not a bass. I have known since the spring and now the choir knows too.',
    category: 'Voice',
    tags: ['choir'],
    occurredOn: '2025-05-20',
  },
]

export const createDemoLogbook = (keeperId: string): LogbookEntry[] =>
  sampleEntries.map((sample, index) => ({
    id: `sample-logbook-${index}`,
    keeperId,
    createdAt: `${sample.occurredOn}T18:00:00.000Z`,
    updatedAt: `${sample.occurredOn}T18:00:00.000Z`,
    rev: 1,
    agentId: 'demo-agent',
    pinned: false,
    aiVisible: true,
    momentId: null,
    journeyId: null,
    ...sample,
  }))
