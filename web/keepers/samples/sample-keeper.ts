import type { Keeper } from '#contract/keepers/keepers.ts'
import type { sampleIds } from './sample-keepers.ts'
import { sampleSoleDocuments } from './sample-sole.ts'

const made = '2026-01-05T08:00:00.000Z'
const sample = (id: (typeof sampleIds)[number], given: Partial<Keeper>): Keeper => ({
  id,
  title: 'Demo Keeper',
  purpose: 'To look around in: nothing here can be changed.',
  keeperType: 'journal',
  keeperTypeId: null,
  memoryPattern: 'sole',
  keepsStory: true,
  theme: 'keeper-classic',
  isPublic: false,
  createdAt: made,
  updatedAt: made,
  rev: 1,
  ownerId: 'sample',
  owner: { id: 'sample', name: 'Sample' },
  KeeperType: { id: 'system-journal', name: 'Journal', memoryPattern: 'SOLE' },
  engagement_templates: [],
  _count: { Journey: 0, Path: 0 },
  ...sampleSoleDocuments(id),
  entryCount: 0,
  lastEntryAt: null,
  ...given,
})

/** The samples by their id. */
export const samples: Readonly<Record<string, Keeper>> = {
  demo: sample('demo', {}),
  'demo-sole-keeper': sample('demo-sole-keeper', { title: 'Demo SOLE Keeper' }),
}
