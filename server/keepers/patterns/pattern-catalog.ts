import { type Selectable, sql } from 'kysely'
import type * as z from 'zod/mini'
import { getMemoryBehavior } from '#contract/keepers/keepers.ts'
import type { MemoryPattern, memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import type { Person } from '#server/accounts/person.ts'
import {
  type CatalogKind,
  createCatalogTexts,
  selectVisibleEntries,
  toCommonFields,
  type Viewer,
} from '#server/catalog/catalog.ts'
import { createEntry, insertSystemEntries, requireFreeName } from '#server/catalog/save-entry.ts'
import type { Write } from '#server/db/database.ts'
import { toSlugBase } from '#server/db/insert-with-slug.ts'
import type { Schema } from '#server/db/schema.ts'
import { selectPeopleWhoSee } from '#server/domains/people/people-of-domains.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { type KeeperRow, selectOwnKeepers } from '../keeper-access.ts'

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
      promote: promote ?? defaultPromotion,
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
  return selectOwnKeepers(db, person.id)
    .clearSelect()
    .select(['memory_pattern', (select) => select.fn.countAll<number>().as('count')])
    .groupBy('memory_pattern')
    .execute()
}

interface PatternReference {
  ownerId: string
  reference: string
  isActive: boolean
}

/** Owners whose keepers refer to this pattern: the person, and domain members for whom the name resolves to it. */
export async function findPatternUsers(
  services: Services,
  person: Pick<Person, 'id'>,
  row: PatternRow,
): Promise<PatternReference[]> {
  const { db } = services
  const ownIdQuery = db.selectNoFrom(sql<string>`cast(${person.id} as text)`.as('id'))
  const people = selectPeopleWhoSee(db, person.id).union(ownIdQuery)
  const keepers = await db.longRead(
    db
      .selectFrom(people.as('viewer'))
      .innerJoin('keepers', 'keepers.owner_id', 'viewer.id')
      .select(['owner_id', 'memory_pattern', ({ fn }) => fn.count<number | string>(activeKeeperId).as('active_count')])
      .groupBy(['owner_id', 'memory_pattern']),
  )
  const matchingKeepers = keepers.filter(({ memory_pattern }) => refersToPattern(memory_pattern, row))
  const references: PatternReference[] = []
  for (const [ownerId, ownerKeepers] of Map.groupBy(matchingKeepers, ({ owner_id }) => owner_id)) {
    const visiblePatterns = await queryVisiblePatterns(services, { id: ownerId })
      .clearSelect()
      .select(['memory_patterns.id', 'owner_id', 'slug', 'name'])
      .execute()
    for (const { memory_pattern: reference, active_count } of ownerKeepers)
      if (resolvePattern(reference, ownerId, visiblePatterns)?.id === row.id)
        references.push({ ownerId, reference, isActive: Number(active_count) > 0 })
  }
  return references
}

const activeKeeperId = sql<string>`case when keepers.deleted_at is null then keepers.id end`

export type PatternRow = Selectable<Schema['memory_patterns']>

export const queryVisiblePatterns = (services: Services, person: Viewer) =>
  selectVisibleEntries(services, person, 'memory_patterns')

const refersToPattern = (reference: string, { slug, name }: Pick<PatternRow, 'slug' | 'name'>) =>
  [slug, name].some((alias) => alias.toLowerCase() === reference.toLowerCase())

/** The owner's pattern takes precedence over others with the same name. */
export function resolvePattern<Pattern extends Pick<PatternRow, 'owner_id' | 'slug' | 'name'>>(
  reference: string,
  ownerId: string,
  visiblePatterns: readonly Pattern[],
): Pattern | undefined {
  const matches = visiblePatterns.filter((pattern) => refersToPattern(reference, pattern))
  return matches.find(({ owner_id }) => owner_id === ownerId) ?? matches[0]
}

type PatternUser = Pick<KeeperRow, 'id' | 'owner_id' | 'memory_pattern'>

export async function loadCustomPatterns(
  services: Services,
  keepers: readonly PatternUser[],
): Promise<Map<string, PatternRow>> {
  const patternByKeeper = new Map<string, PatternRow>()
  const customPatternKeepers = keepers.filter(({ memory_pattern }) => getMemoryBehavior(memory_pattern) === undefined)
  for (const [ownerId, keeperGroup] of Map.groupBy(customPatternKeepers, (keeper) => keeper.owner_id)) {
    const customPatterns = await queryVisiblePatterns(services, { id: ownerId }).where('system', '=', false).execute()
    for (const { id, memory_pattern } of keeperGroup) {
      const pattern = resolvePattern(memory_pattern, ownerId, customPatterns)
      if (pattern) patternByKeeper.set(id, pattern)
    }
  }
  return patternByKeeper
}

export async function hasStory(services: Services, keeper: PatternUser): Promise<boolean> {
  return patternHasStory(keeper, await loadCustomPatterns(services, [keeper]))
}

export const patternHasStory = (keeper: PatternUser, customPatterns: ReadonlyMap<string, PatternRow>): boolean =>
  getMemoryBehavior(keeper.memory_pattern) === 'sole' || customPatterns.get(keeper.id)?.keeps_story === true

const defaultPromotion = { minAgeHours: 24, needsHuman: true } as const
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
    promote: defaultPromotion,
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
    promote: defaultPromotion,
  },
]

export const insertSystemPatterns = (services: Services): Write[] =>
  insertSystemEntries(services, 'memory_patterns', systemPatterns)
