import type { Keeper } from '#contract/keepers/keepers.ts'
import { getDemoSoleDocuments } from './demo-sole.ts'
import type { demoKeeperIds } from './is-demo-keeper.ts'

const demoCreatedAt = '2026-01-05T08:00:00.000Z'
const createDemoKeeper = (id: (typeof demoKeeperIds)[number], overrides: Partial<Keeper>): Keeper => ({
  id,
  title: 'Demo Keeper',
  purpose: 'A keeper to explore. Nothing here can be changed.',
  keeperType: 'journal',
  keeperTypeId: null,
  memoryPattern: 'sole',
  keepsStory: true,
  theme: 'keeper-classic',
  isPublic: false,
  createdAt: demoCreatedAt,
  updatedAt: demoCreatedAt,
  rev: 1,
  ownerId: 'sample',
  owner: { id: 'sample', name: 'Sample' },
  KeeperType: { id: 'system-journal', name: 'Journal', memoryPattern: 'SOLE' },
  engagement_templates: [],
  _count: { Journey: 0, Path: 0 },
  ...getDemoSoleDocuments(id),
  entryCount: 0,
  firstEntryAt: null,
  lastEntryAt: null,
  ...overrides,
})

export const demoKeepers: Readonly<Record<string, Keeper>> = {
  demo: createDemoKeeper('demo', {}),
  'demo-sole-keeper': createDemoKeeper('demo-sole-keeper', { title: 'Demo SOLE Keeper' }),
}
