import type { EngagementTemplate } from '../keepers/engagement-templates.ts'
import type { KeeperType } from '../keepers/keeper-types.ts'
import { demoIds } from './demo-ids.ts'

const sampleTime = '2026-01-05T08:00:00.000Z'

export const sampleKeeperType: KeeperType = {
  id: demoIds['keeper-type'],
  name: 'Journal',
  slug: 'journal',
  description: 'Days as they were: what happened, and what stays.',
  memoryPattern: 'SOLE',
  system: false,
  mine: false,
  createdAt: sampleTime,
  rev: 1,
  _count: { engagement_templates: 3, Keeper: 2 },
}

const createSampleTemplate = (slug: string, label: string, type: EngagementTemplate['type']): EngagementTemplate => ({
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
  createdAt: sampleTime,
  updatedAt: sampleTime,
  rev: 1,
})

export const sampleTemplates: EngagementTemplate[] = [
  createSampleTemplate('reflection_journal', 'Reflection Journal', 'memory'),
  createSampleTemplate('memorycard_generator', 'Memory Cards', 'memory'),
  createSampleTemplate('voice_panel', 'Voice Panel', 'identity'),
]
