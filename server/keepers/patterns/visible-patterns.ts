import type { Selectable } from 'kysely'
import { getMemoryBehavior } from '#contract/keepers/keepers.ts'
import type { MemoryPattern } from '#contract/keepers/memory-patterns.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { requireOwnEntity, whereUsableBy } from '#server/domains/visibility.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'

export type PatternRow = Selectable<Schema['memory_patterns']>
type Viewer = Pick<Person, 'id'>

/** Patterns of the system, of the person, and of people who agreed to share a domain. */
export function queryVisiblePatterns({ db }: Services, person: Viewer) {
  return db
    .selectFrom('memory_patterns')
    .selectAll('memory_patterns')
    .where(whereUsableBy(db, 'memory_patterns', person.id))
    .orderBy('memory_patterns.system', 'desc')
    .orderBy('memory_patterns.created_at')
    .orderBy('memory_patterns.id')
}

/** A pattern made by this person. @throws Problem 404; 403 for someone else's or the system's */
export async function requireOwnPattern(services: Services, person: Viewer, id: string): Promise<PatternRow> {
  const row = await queryVisiblePatterns(services, person).where('memory_patterns.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Memory pattern not found' })
  requireOwnEntity(row, person, 'pattern')
  return row
}

export const refersToPattern = (reference: string, { slug, name }: Pick<PatternRow, 'slug' | 'name'>) =>
  [slug, name].some((alias) => alias.toLowerCase() === reference.toLowerCase())

/** Of several patterns with the same name, the owner's takes precedence. */
export function resolvePattern<Pattern extends Pick<PatternRow, 'owner_id' | 'slug' | 'name'>>(
  reference: string,
  ownerId: string,
  visible: readonly Pattern[],
): Pattern | undefined {
  const matches = visible.filter((pattern) => refersToPattern(reference, pattern))
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

export async function toMemoryPatterns(
  { db }: Services,
  rows: readonly PatternRow[],
  person: Viewer,
): Promise<MemoryPattern[]> {
  const counts = await db
    .selectFrom('keepers')
    .select(['memory_pattern', (select) => select.fn.countAll<number>().as('count')])
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .groupBy('memory_pattern')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    system: row.system,
    mine: row.owner_id === person.id,
    sections: row.sections,
    captureFrom: row.capture_from,
    promote: row.promote,
    keepsStory: row.keeps_story,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    rev: row.rev,
    _count: {
      Keeper: counts
        .filter(({ memory_pattern }) => refersToPattern(memory_pattern, row))
        .reduce((total, { count }) => total + count, 0),
    },
  }))
}

export async function toMemoryPattern(services: Services, row: PatternRow, person: Viewer): Promise<MemoryPattern> {
  const [view] = await toMemoryPatterns(services, [row], person)
  if (!view) throw new Error('A memory pattern has no view')
  return view
}
