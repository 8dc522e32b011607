import { toSlug } from '#contract/agents/agent-slug.ts'
import type { Services } from '../services.ts'
import { UniqueViolation } from './database-errors.ts'

export const toSlugBase = (name: string): string => toSlug(name).slice(0, 54).replace(/-$/, '')

/** The form of `newId`. Calls accept an id or a slug, so a slug must never look like an id. */
const idPattern = /^[0-9a-f]{32}$/

export async function insertWithSlug<Inserted>(
  services: Pick<Services, 'newId'>,
  slug: string,
  insert: (names: { id: string; slug: string }) => Promise<Inserted>,
): Promise<Inserted> {
  // Drawn once: a retry under the same idempotency key inserts the same id.
  const id = services.newId()
  try {
    return await insert({ id, slug: idPattern.test(slug) ? addSlugSuffix(services, slug) : slug })
  } catch (error) {
    if (!(error instanceof UniqueViolation) || error.columns.join() === 'id') throw error
    return insert({ id, slug: addSlugSuffix(services, slug) })
  }
}

export const addSlugSuffix = (services: Pick<Services, 'newId'>, slug: string): string =>
  `${slug}-${services.newId().slice(-8)}`

/** For an idempotent retry, returns a violation of `id` instead of the slug's; undefined if another row has the slug. */
export async function findEarlierCreation(
  { db }: Pick<Services, 'db'>,
  table: 'agents' | 'domains',
  id: string,
  cause: unknown,
): Promise<UniqueViolation | undefined> {
  const existing = await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()
  return existing && new UniqueViolation(table, ['id'], { cause })
}
