import type * as z from 'zod/mini'
import { getMemoryBehavior } from '#contract/keepers/keepers.ts'
import type { MemoryPattern, memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import type { Person } from '#server/accounts/person.ts'
import { type CatalogKind, createCatalogTexts, toCommonFields, type Viewer } from '#server/catalog/catalog.ts'
import { createEntry, requireFreeName } from '#server/catalog/save-entry.ts'
import type { Write } from '#server/db/database.ts'
import { toSlugBase } from '#server/db/insert-with-slug.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { findPatternUsers } from './find-pattern-users.ts'
import { type PatternRow, queryVisiblePatterns, refersToPattern } from './visible-patterns.ts'

type NewPattern = z.output<typeof memoryPatterns.create.body & {}>
type PatternChanges = z.output<typeof memoryPatterns.update.body & {}>

export const patternKind: CatalogKind<PatternRow, MemoryPattern> = {
  table: 'memory_patterns',
  noun: 'pattern',
  texts: createCatalogTexts('Memory pattern', 'pattern'),
  longColumns: ['description', 'sections'],
  find: (services, person, id) => queryVisiblePatterns(services, person).where('id', '=', id).executeTakeFirst(),
  async toViews(services, rows, person) {
    const counts = await countKeepers(services, person)
    return rows.map((row) => ({
      ...toCommonFields(row, person),
      name: row.name,
      sections: row.sections,
      captureFrom: row.capture_from,
      promote: row.promote,
      keepsStory: row.keeps_story,
      updatedAt: toIsoTime(row.updated_at),
      _count: {
        Keeper: counts
          .filter(({ memory_pattern }) => refersToPattern(memory_pattern, row))
          .reduce((total, { count }) => total + count, 0),
      },
    }))
  },
  async beforeUpdate(services, person, updated, previous) {
    refuseDuplicateKeys(updated.sections)
    if (updated.name === previous.name) return []
    await requireFreePatternName(services, person, updated)
    return buildReferenceWrites(services, person, previous)
  },
  /** Keepers of the person and of domain members. */
  async listUses(services, person, row) {
    const user = (await findPatternUsers(services, person, row)).find(({ isActive }) => isActive)
    if (!user) return []
    const rows = services.db
      .selectFrom('keepers')
      .select('id')
      .where('owner_id', '=', user.ownerId)
      .where('memory_pattern', '=', user.reference)
      .where('deleted_at', 'is', null)
    const message = 'Keepers use this pattern. Give those keepers another pattern first, then delete this one.'
    return [{ rows, message }]
  },
}

/** @throws Problem 400 */
export async function createPattern(
  services: Services,
  person: Person,
  { name, description = '', sections = [], captureFrom = ['reflection'], promote, keepsStory }: NewPattern,
): Promise<MemoryPattern> {
  await requireFreePatternName(services, person, { name })
  refuseDuplicateKeys(sections)
  return createEntry(services, person, patternKind, {
    slug: toSlugBase(name),
    columns: {
      name,
      description,
      system: false,
      sections,
      capture_from: [...new Set(captureFrom)],
      promote: promote ?? { minAgeHours: 24, needsHuman: true },
      keeps_story: keepsStory ?? false,
    },
  })
}

export const toPatternColumns = ({ captureFrom, keepsStory, ...columns }: PatternChanges) => ({
  ...columns,
  capture_from: captureFrom && [...new Set(captureFrom)],
  keeps_story: keepsStory,
})

/** Keepers refer to patterns by name, so names must be unique. */
const requireFreePatternName = (services: Services, person: Person, { id, name }: { id?: string; name: string }) =>
  requireFreeName(services, person, {
    table: 'memory_patterns',
    noun: 'pattern',
    isTaken: (other) => getMemoryBehavior(name) !== undefined || (other.id !== id && refersToPattern(name, other)),
  })

function refuseDuplicateKeys(sections: PatternRow['sections']): void {
  const keys = new Set<string>()
  for (const [index, { key }] of sections.entries()) {
    if (keys.has(key)) throw badField(`sections.${index}.key`, `Another section has the key "${key}".`)
    keys.add(key)
  }
}

/** Keepers that refer to a renamed pattern by its old name refer to its slug from then on. */
async function buildReferenceWrites(services: Services, person: Viewer, row: PatternRow): Promise<Write[]> {
  const users = await findPatternUsers(services, person, row)
  return users
    .filter(({ reference }) => reference.toLowerCase() !== row.slug.toLowerCase())
    .map(({ ownerId, reference }) =>
      services.db
        .updateTable('keepers')
        .set({ memory_pattern: row.slug })
        .where('owner_id', '=', ownerId)
        .where('memory_pattern', '=', reference),
    )
}

async function countKeepers({ db }: Services, person: Viewer) {
  return db
    .selectFrom('keepers')
    .select(['memory_pattern', (select) => select.fn.countAll<number>().as('count')])
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .groupBy('memory_pattern')
    .execute()
}
