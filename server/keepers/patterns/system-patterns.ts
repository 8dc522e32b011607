import { insertSystemEntries } from '#server/catalog/save-entry.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import type { PatternRow } from './visible-patterns.ts'

const promote = { minAgeHours: 24, needsHuman: true } as const
const systemPatterns: (Partial<PatternRow> & { slug: string })[] = [
  {
    slug: 'sole',
    name: 'SOLE',
    description: 'One standing story in single statements, drafted from what was kept and approved by a person.',
    sections: [
      { key: 'story', title: 'Standing story', kind: 'text' },
      { key: 'statements', title: 'Statements with their sources', kind: 'list' },
    ],
    capture_from: ['reflection'],
    keeps_story: true,
    promote,
  },
  {
    slug: 'crmtimeline',
    name: 'CRM Timeline',
    description: 'Everything by date: what happened stands on one timeline, newest first.',
    sections: [
      { key: 'timeline', title: 'Timeline', kind: 'timeline' },
      { key: 'kept', title: 'What is kept', kind: 'list' },
    ],
    capture_from: ['reflection', 'moment', 'logbook'],
    keeps_story: false,
    promote,
  },
]

export const insertSystemPatterns = (services: Services): Write[] =>
  insertSystemEntries(services, 'memory_patterns', systemPatterns)
