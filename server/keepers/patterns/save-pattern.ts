import type * as z from 'zod/mini'
import { memoryBehaviour } from '#contract/keepers/keepers.ts'
import type { MemoryPattern, memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { insertUnderSlug, slugBase } from '#server/insert-under-slug.ts'
import type { Services } from '#server/services.ts'
import { type PatternRow, patternView, remembersIn, requireOwnPatternFor, visiblePatterns } from './visible-patterns.ts'
import { type Meaning, whoMeans } from './who-means.ts'

type NewPattern = z.output<typeof memoryPatterns.create.body & {}>
type PatternChanges = z.output<typeof memoryPatterns.update.body & {}>

const tries = 4
const usual = { minAgeHours: 24, needsHuman: true } as const

/** Derives the slug from the name, with a suffix when it is in use. @throws Problem 400 */
export async function createPattern(services: Services, person: Person, given: NewPattern): Promise<MemoryPattern> {
  await refuseName(services, person, given.name)
  refuseTwins(given.sections)
  const row = await insertUnderSlug(services, slugBase(given.name) || 'pattern', (names): Promise<PatternRow> => {
    const now = services.now().getTime()
    return services.db
      .insertInto('memory_patterns')
      .values({
        ...names,
        owner_id: person.id,
        name: given.name,
        description: given.description ?? '',
        system: false,
        sections: json(given.sections ?? []),
        capture_from: json([...new Set<PatternRow['capture_from'][number]>(given.captureFrom ?? ['reflection'])]),
        promote: json(given.promote ?? usual),
        keeps_story: given.keepsStory ?? false,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return patternView(services, row, person)
}

/** Keeps the slug, by which keepers refer to the pattern. @throws Problem 404, 403, 400; `stale` with `{yours,
 * current}` */
export async function updatePattern(
  services: Services,
  person: Person,
  id: string,
  given: PatternChanges,
  ifMatch: number | null,
): Promise<MemoryPattern> {
  const { db } = services
  for (let attempt = 1; ; attempt++) {
    const row = await requireOwnPatternFor(services, person, id)
    const after: PatternRow = {
      ...row,
      name: given.name ?? row.name,
      description: given.description ?? row.description,
      sections: given.sections ?? row.sections,
      capture_from: given.captureFrom ? [...new Set(given.captureFrom)] : row.capture_from,
      promote: given.promote ?? row.promote,
      keeps_story: given.keepsStory ?? row.keeps_story,
    }
    if (ifMatch !== null && ifMatch !== row.rev) {
      const yours = await patternView(services, { ...after, rev: ifMatch }, person)
      throw new Problem('stale', { data: { yours, current: await patternView(services, row, person) } })
    }
    if (after.name !== row.name) await refuseName(services, person, after.name, row.id)
    refuseTwins(given.sections)
    const saidByName = after.name === row.name ? [] : (await whoMeans(services, person, row)).filter(saysName(row))
    try {
      await db.batch([
        requireChanges(
          db
            .updateTable('memory_patterns')
            .set({
              name: after.name,
              description: after.description,
              sections: json(after.sections),
              capture_from: json(after.capture_from),
              promote: json(after.promote),
              keeps_story: after.keeps_story,
              updated_at: services.now().getTime(),
              rev: row.rev + 1,
            })
            .where('id', '=', row.id)
            .where('rev', '=', row.rev),
        ),
        // Keepers that refer to the old name switch to the slug.
        ...saidByName.map(({ ownerId, said }) =>
          db
            .updateTable('keepers')
            .set({ memory_pattern: row.slug })
            .where('owner_id', '=', ownerId)
            .where('memory_pattern', '=', said),
        ),
      ])
    } catch (error) {
      // Lost a race: retry, or report a conflict to a caller with a revision.
      if (error instanceof UnexpectedChanges && attempt < tries) continue
      throw error instanceof UnexpectedChanges ? new Problem('conflict') : error
    }
    return patternView(services, await requireOwnPatternFor(services, person, id), person)
  }
}

/** Keepers that use the slug need no change. */
const saysName =
  ({ slug }: PatternRow) =>
  ({ said }: Meaning) =>
    said.toLowerCase() !== slug.toLowerCase()

/** Keepers refer to patterns by name, so names must be unique. */
async function refuseName(services: Services, person: Person, name: string, ownId?: string): Promise<void> {
  const rows = await visiblePatterns(services, person)
    .where((where) => where.or([where('system', '=', true), where('owner_id', '=', person.id)]))
    .execute()
  const isTaken = memoryBehaviour(name) !== undefined || rows.some((row) => row.id !== ownId && remembersIn(name, row))
  if (isTaken) throw badField('name', 'There is already a pattern with this name. Choose another one.')
}

function refuseTwins(sections: readonly { key: string }[] | undefined): void {
  const keys = new Set<string>()
  for (const [at, { key }] of (sections ?? []).entries()) {
    if (keys.has(key)) throw badField(`sections.${at}.key`, `Another section has the key "${key}".`)
    keys.add(key)
  }
}
