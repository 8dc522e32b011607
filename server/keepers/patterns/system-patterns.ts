import type { MemoryPattern } from '#contract/keepers/memory-patterns.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'

type SystemPattern = Pick<MemoryPattern, 'slug' | 'name' | 'description' | 'sections' | 'captureFrom' | 'keepsStory'>

const systemPatterns: SystemPattern[] = [
  {
    slug: 'sole',
    name: 'SOLE',
    description: 'One standing story in single statements, drafted from what was kept and approved by a person.',
    sections: [
      { key: 'story', title: 'Standing story', kind: 'text' },
      { key: 'statements', title: 'Statements with their sources', kind: 'list' },
    ],
    captureFrom: ['reflection'],
    keepsStory: true,
  },
  {
    slug: 'crmtimeline',
    name: 'CRM Timeline',
    description: 'Everything by date: what happened stands on one timeline, newest first.',
    sections: [
      { key: 'timeline', title: 'Timeline', kind: 'timeline' },
      { key: 'kept', title: 'What is kept', kind: 'list' },
    ],
    captureFrom: ['reflection', 'moment', 'logbook'],
    keepsStory: false,
  },
]

export async function addSystemPatterns(services: Services): Promise<void> {
  const now = services.now().getTime()
  await services.db.batch(
    systemPatterns.map(({ slug, name, description, sections, captureFrom, keepsStory }, index) =>
      services.db
        .insertInto('memory_patterns')
        .values({
          // Deterministic ids, so that concurrent processes add each once.
          id: `system-${slug}`,
          owner_id: null,
          slug,
          name,
          description,
          system: true,
          sections: json(sections),
          capture_from: json(captureFrom),
          promote: json({ minAgeHours: 24, needsHuman: true }),
          keeps_story: keepsStory,
          created_at: now + index,
          updated_at: now + index,
        })
        .onConflict((conflict) => conflict.doNothing()),
    ),
  )
}
