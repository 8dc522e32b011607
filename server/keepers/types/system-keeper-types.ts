import type { Services } from '#server/services.ts'

interface SystemType {
  slug: string
  name: string
  description: string
  memoryPattern: 'SOLE' | 'CRMTimeline'
}

const systemTypes: SystemType[] = [
  {
    slug: 'journal',
    name: 'Journal',
    description: 'Keeps the days as they were lived, in the order they came.',
    memoryPattern: 'CRMTimeline',
  },
  {
    slug: 'project',
    name: 'Project',
    description: 'Keeps what was decided, done and left open on the way to one goal.',
    memoryPattern: 'CRMTimeline',
  },
  {
    slug: 'educational',
    name: 'Educational',
    description: 'Keeps what was learned, as one account that grows with it.',
    memoryPattern: 'SOLE',
  },
  {
    slug: 'professional',
    name: 'Professional',
    description: 'Keeps people, meetings and promises of a working life, by date.',
    memoryPattern: 'CRMTimeline',
  },
  {
    slug: 'wellness',
    name: 'Wellness',
    description: 'Keeps how body and mind are doing, and what does them good.',
    memoryPattern: 'SOLE',
  },
  {
    slug: 'custom',
    name: 'Custom',
    description: 'Keeps whatever has no place in the other types.',
    memoryPattern: 'SOLE',
  },
]

export async function addSystemKeeperTypes(services: Services): Promise<void> {
  const now = services.now().getTime()
  await services.db.batch(
    systemTypes.map(({ slug, name, description, memoryPattern }, index) =>
      services.db
        .insertInto('keeper_types')
        .values({
          // Deterministic ids, so that concurrent processes add each once.
          id: `system-${slug}`,
          owner_id: null,
          slug,
          name,
          description,
          memory_pattern: memoryPattern,
          system: true,
          created_at: now + index,
          updated_at: now + index,
        })
        .onConflict((conflict) => conflict.doNothing()),
    ),
  )
}
