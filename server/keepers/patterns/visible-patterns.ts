import type { Selectable } from 'kysely'
import { memoryBehaviour } from '#contract/keepers/keepers.ts'
import type { MemoryPattern } from '#contract/keepers/memory-patterns.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { refuseUnlessOwn, usableBy } from '#server/domains/usable-by.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'

export type PatternRow = Selectable<Schema['memory_patterns']>
type Asking = Pick<Person, 'id'>

/** Patterns of the system, of the person, and of people who agreed to share a domain. */
export function visiblePatterns({ db }: Services, person: Asking) {
  return db
    .selectFrom('memory_patterns')
    .selectAll('memory_patterns')
    .where(usableBy(db, 'memory_patterns', person.id))
    .orderBy('memory_patterns.system', 'desc')
    .orderBy('memory_patterns.created_at')
    .orderBy('memory_patterns.id')
}

/** A pattern made by this person. @throws Problem 404; 403 for someone else's or the system's */
export async function requireOwnPatternFor(services: Services, person: Asking, id: string): Promise<PatternRow> {
  const row = await visiblePatterns(services, person).where('memory_patterns.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('not-found', { message: 'Memory pattern not found' })
  refuseUnlessOwn(row, person, 'pattern')
  return row
}

/** By slug or name, ignoring case. */
export const remembersIn = (said: string, { slug, name }: Pick<PatternRow, 'slug' | 'name'>) =>
  [slug, name].some((word) => word.toLowerCase() === said.toLowerCase())

/** Of several patterns with the same name, the owner's takes precedence. */
export function meantBy<Pattern extends Pick<PatternRow, 'owner_id' | 'slug' | 'name'>>(
  said: string,
  ownerId: string,
  visible: readonly Pattern[],
): Pattern | undefined {
  const found = visible.filter((pattern) => remembersIn(said, pattern))
  return found.find(({ owner_id }) => owner_id === ownerId) ?? found[0]
}

type Remembering = Pick<KeeperRow, 'id' | 'owner_id' | 'memory_pattern'>

/** Custom patterns by keeper id, resolved from each owner's view. */
export async function madePatternsOf(
  services: Services,
  keepers: readonly Remembering[],
): Promise<Map<string, PatternRow>> {
  const found = new Map<string, PatternRow>()
  const saying = keepers.filter(({ memory_pattern }) => memoryBehaviour(memory_pattern) === undefined)
  for (const [ownerId, own] of Map.groupBy(saying, (keeper) => keeper.owner_id)) {
    const made = await visiblePatterns(services, { id: ownerId }).where('system', '=', false).execute()
    for (const { id, memory_pattern } of own) {
      const pattern = meantBy(memory_pattern, ownerId, made)
      if (pattern) found.set(id, pattern)
    }
  }
  return found
}

export async function keepsStory(services: Services, keeper: Remembering): Promise<boolean> {
  return saysItKeepsStory(keeper, await madePatternsOf(services, [keeper]))
}

export const saysItKeepsStory = (keeper: Remembering, made: ReadonlyMap<string, PatternRow>): boolean =>
  memoryBehaviour(keeper.memory_pattern) === 'sole' || made.get(keeper.id)?.keeps_story === true

/** Counts the person's own keepers. */
export async function patternViews(
  { db }: Services,
  rows: readonly PatternRow[],
  person: Asking,
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
        .filter(({ memory_pattern }) => remembersIn(memory_pattern, row))
        .reduce((sum, { count }) => sum + count, 0),
    },
  }))
}

export async function patternView(services: Services, row: PatternRow, person: Asking): Promise<MemoryPattern> {
  const [view] = await patternViews(services, [row], person)
  if (!view) throw new Error('A memory pattern has no view')
  return view
}
