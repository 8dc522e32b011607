import type * as z from 'zod/mini'
import { getMemoryBehavior } from '#contract/keepers/keepers.ts'
import type { MemoryPattern, memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { insertWithSlug, toSlugBase } from '#server/insert-with-slug.ts'
import type { Services } from '#server/services.ts'
import { findPatternUsers, type PatternReference } from './find-pattern-users.ts'
import {
  type PatternRow,
  queryVisiblePatterns,
  refersToPattern,
  requireOwnPattern,
  toMemoryPattern,
} from './visible-patterns.ts'

type NewPattern = z.output<typeof memoryPatterns.create.body & {}>
type PatternChanges = z.output<typeof memoryPatterns.update.body & {}>

const maxSaveAttempts = 4
const defaultPromotion = { minAgeHours: 24, needsHuman: true } as const

/** Derives the slug from the name, with a suffix when it is in use. @throws Problem 400 */
export async function createPattern(services: Services, person: Person, input: NewPattern): Promise<MemoryPattern> {
  await requireFreeName(services, person, input.name)
  refuseDuplicateKeys(input.sections)
  const row = await insertWithSlug(services, toSlugBase(input.name) || 'pattern', (names): Promise<PatternRow> => {
    const now = services.now().getTime()
    return services.db
      .insertInto('memory_patterns')
      .values({
        ...names,
        owner_id: person.id,
        name: input.name,
        description: input.description ?? '',
        system: false,
        sections: json(input.sections ?? []),
        capture_from: json([...new Set<PatternRow['capture_from'][number]>(input.captureFrom ?? ['reflection'])]),
        promote: json(input.promote ?? defaultPromotion),
        keeps_story: input.keepsStory ?? false,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return toMemoryPattern(services, row, person)
}

/** Keeps the slug, by which keepers refer to it. @throws Problem 404, 403, 400; `stale` with `{yours, current}` */
export async function updatePattern(
  services: Services,
  person: Person,
  id: string,
  input: PatternChanges,
  ifMatch: number | null,
): Promise<MemoryPattern> {
  const { db } = services
  for (let attempt = 1; ; attempt++) {
    const row = await requireOwnPattern(services, person, id)
    const updated: PatternRow = {
      ...row,
      name: input.name ?? row.name,
      description: input.description ?? row.description,
      sections: input.sections ?? row.sections,
      capture_from: input.captureFrom ? [...new Set(input.captureFrom)] : row.capture_from,
      promote: input.promote ?? row.promote,
      keeps_story: input.keepsStory ?? row.keeps_story,
    }
    if (ifMatch !== null && ifMatch !== row.rev) {
      const clientVersion = await toMemoryPattern(services, { ...updated, rev: ifMatch }, person)
      throw new Problem('stale', {
        data: { yours: clientVersion, current: await toMemoryPattern(services, row, person) },
      })
    }
    if (updated.name !== row.name) await requireFreeName(services, person, updated.name, row.id)
    refuseDuplicateKeys(input.sections)
    const nameReferences =
      updated.name === row.name ? [] : (await findPatternUsers(services, person, row)).filter(refersByName(row))
    try {
      await db.batch([
        requireChanges(
          db
            .updateTable('memory_patterns')
            .set({
              name: updated.name,
              description: updated.description,
              sections: json(updated.sections),
              capture_from: json(updated.capture_from),
              promote: json(updated.promote),
              keeps_story: updated.keeps_story,
              updated_at: services.now().getTime(),
              rev: row.rev + 1,
            })
            .where('id', '=', row.id)
            .where('rev', '=', row.rev),
        ),
        ...nameReferences.map(({ ownerId, reference }) =>
          db
            .updateTable('keepers')
            .set({ memory_pattern: row.slug })
            .where('owner_id', '=', ownerId)
            .where('memory_pattern', '=', reference),
        ),
      ])
    } catch (error) {
      if (error instanceof UnexpectedChanges && attempt < maxSaveAttempts) continue
      throw error instanceof UnexpectedChanges ? new Problem('conflict') : error
    }
    return toMemoryPattern(services, await requireOwnPattern(services, person, id), person)
  }
}

const refersByName =
  ({ slug }: PatternRow) =>
  ({ reference }: PatternReference) =>
    reference.toLowerCase() !== slug.toLowerCase()

/** Keepers refer to patterns by name, so names must be unique. */
async function requireFreeName(services: Services, person: Person, name: string, excludedId?: string): Promise<void> {
  const rows = await queryVisiblePatterns(services, person)
    .where((where) => where.or([where('system', '=', true), where('owner_id', '=', person.id)]))
    .execute()
  const isTaken =
    getMemoryBehavior(name) !== undefined || rows.some((row) => row.id !== excludedId && refersToPattern(name, row))
  if (isTaken) throw badField('name', 'There is already a pattern with this name. Choose another one.')
}

function refuseDuplicateKeys(sections: readonly { key: string }[] | undefined): void {
  const keys = new Set<string>()
  for (const [index, { key }] of (sections ?? []).entries()) {
    if (keys.has(key)) throw badField(`sections.${index}.key`, `Another section has the key "${key}".`)
    keys.add(key)
  }
}
