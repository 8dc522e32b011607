import { insertSystemEntries } from '#server/catalog/save-entry.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'

interface SystemType {
  slug: string
  name: string
  description: string
  memory_pattern: 'SOLE' | 'CRMTimeline'
}

const systemTypes: SystemType[] = [
  {
    slug: 'journal',
    name: 'Journal',
    description: 'Keeps the days as they were lived, in the order they came.',
    memory_pattern: 'CRMTimeline',
  },
  {
    slug: 'project',
    name: 'Project',
    description: 'Keeps what was decided, done and left open on the way to one goal.',
    memory_pattern: 'CRMTimeline',
  },
  {
    slug: 'educational',
    name: 'Educational',
    description: 'Keeps what was learned, as one account that grows with it.',
    memory_pattern: 'SOLE',
  },
  {
    slug: 'professional',
    name: 'Professional',
    description: 'Keeps people, meetings and promises of a working life, by date.',
    memory_pattern: 'CRMTimeline',
  },
  {
    slug: 'wellness',
    name: 'Wellness',
    description: 'Keeps how body and mind are doing, and what does them good.',
    memory_pattern: 'SOLE',
  },
  {
    slug: 'custom',
    name: 'Custom',
    description: 'Keeps whatever has no place in the other types.',
    memory_pattern: 'SOLE',
  },
]

export const insertSystemKeeperTypes = (services: Services): Write[] =>
  insertSystemEntries(services, 'keeper_types', systemTypes)
