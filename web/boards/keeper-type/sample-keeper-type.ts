import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { demoIds } from '../samples/demo-ids.ts'

const at = '2026-01-05T08:00:00.000Z'

export const sampleKeeperType: KeeperType = {
  id: demoIds['keeper-type'],
  name: 'Journal',
  slug: 'journal',
  description: 'Days as they were: what happened, and what stays.',
  memoryPattern: 'SOLE',
  system: false,
  mine: false,
  createdAt: at,
  rev: 1,
  _count: { engagement_templates: 3, Keeper: 2 },
}

const template = (slug: string, label: string, type: EngagementTemplate['type']): EngagementTemplate => ({
  id: `sample-${slug}`,
  label,
  slug,
  type,
  kind: 'page',
  description: '',
  category: '',
  system: true,
  mine: false,
  fields: [],
  steps: [],
  target: 'reflection',
  templateCount: 0,
  createdAt: at,
  updatedAt: at,
  rev: 1,
})

export const sampleTemplates: EngagementTemplate[] = [
  template('reflection_journal', 'Reflection Journal', 'memory'),
  template('memorycard_generator', 'Memory Cards', 'memory'),
  template('voice_panel', 'Voice Panel', 'identity'),
]
