import { sql } from 'kysely'
import { getSlugProblem } from '#contract/agents/agent-slug.ts'
import { batchSize, prepareQuery, requireChanges, type Write, writeInBatches } from '#server/db/database.ts'
import { addSlugSuffix, toSlugBase } from '#server/db/insert-with-slug.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'

/** A freed slug stays reserved this long, so that its links can't lead to someone else's agent. */
export const slugReservationMs = 90 * dayMs

export function refuseInvalidSlug(slug: string): void {
  const problem = getSlugProblem(slug)
  if (problem) throw badField('slug', problem)
}

export async function isSlugTaken(services: Services, slug: string, ownerId: string | null): Promise<boolean> {
  if (getSlugProblem(slug)) return true
  if (await findAgentBySlug.first(services.db, { slug })) return true
  const query = { slug, ownerId: ownerId ?? '', now: services.now().getTime() }
  return (await findReservedSlug.first(services.db, query)) !== undefined
}

const findAgentBySlug = prepareQuery<{ slug: string }>()((db, { slug }) =>
  db.selectFrom('agents').select('id').where('slug', '=', slug),
)

const findReservedSlug = prepareQuery<{ slug: string; ownerId: string; now: number }>()((db, { slug, ownerId, now }) =>
  db
    .selectFrom('held_slugs')
    .select('slug')
    .where('slug', '=', slug)
    .where('held_until', '>', now)
    .where((where) => where(where.fn.coalesce('owner_id', where.val('')), '!=', ownerId)),
)

const touchReservedSlug = prepareQuery<{ slug: string; ownerId: string; now: number }>()((db, { slug, ownerId, now }) =>
  db
    .updateTable('held_slugs')
    .set({ slug })
    .where('slug', '=', slug)
    .where('held_until', '>', now)
    .where((where) => where(where.fn.coalesce('owner_id', where.val('')), '!=', ownerId)),
)

/** Goes before a write of the slug: fails the batch with UnexpectedChanges if it is reserved for someone else. */
export function buildSlugGuard({ db, now }: Services, slug: string, ownerId: string | null): Write {
  return requireChanges(touchReservedSlug.bind(db, { slug, ownerId: ownerId ?? '', now: now().getTime() }), 0)
}

export function reserveSlug(services: Services, slug: string, ownerId: string | null): Write {
  const reservation = { owner_id: ownerId, held_until: services.now().getTime() + slugReservationMs }
  return services.db
    .insertInto('held_slugs')
    .values({ slug, ...reservation })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(reservation))
}

export async function createFreeSlug(services: Services, name: string, ownerId: string): Promise<string> {
  const base = toSlugBase(name)
  if (!base) throw badField('slug', 'Enter a slug: this name has no letters or digits to make one from.')
  return (await isSlugTaken(services, base, ownerId)) ? addSlugSuffix(services, base) : base
}

const maxNumberedSlugs = 19

export async function suggestSlug(services: Services, requested: string, ownerId: string): Promise<string> {
  const base = toSlugBase(requested) || 'agent'
  for (let number = 1; number <= maxNumberedSlugs; number++) {
    const candidate = number === 1 ? base : `${base}-${number}`
    if (!(await isSlugTaken(services, candidate, ownerId))) return candidate
  }
  return addSlugSuffix(services, base)
}

export async function sweepReservedSlugs({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const expiredSlugs = sql`select slug from held_slugs where held_until < ${now().getTime()} limit ${batchSize}`
  await writeInBatches(db, sql`delete from held_slugs where slug in (${expiredSlugs})`)
}
