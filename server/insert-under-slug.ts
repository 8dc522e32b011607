import { slugFrom } from '#contract/agents/agent-slug.ts'
import { UniqueViolation } from './db/database-errors.ts'
import type { Services } from './services.ts'

/** Slug of a name, cut to leave space for a suffix; '' if the name has no usable letters. */
export const slugBase = (name: string): string => slugFrom(name).slice(0, 54).replace(/-$/, '')

/** The form of `newId`. Calls accept an id or a slug, so a slug must never look like an id. */
const looksLikeId = /^[0-9a-f]{32}$/

/** Inserts a row under `slug`, with a random suffix if the slug is taken or looks like an id. */
export async function insertUnderSlug<Row>(
  services: Pick<Services, 'newId'>,
  slug: string,
  insert: (names: { id: string; slug: string }) => Promise<Row>,
): Promise<Row> {
  // Drawn once: a retry under the same idempotency key inserts the same id.
  const id = services.newId()
  try {
    return await insert({ id, slug: looksLikeId.test(slug) ? slugBehind(services, slug) : slug })
  } catch (error) {
    if (!(error instanceof UniqueViolation) || error.columns.join() === 'id') throw error
    return insert({ id, slug: slugBehind(services, slug) })
  }
}

/** The suffix is random so that concurrent creations don't collide. */
export const slugBehind = (services: Pick<Services, 'newId'>, slug: string): string =>
  `${slug}-${services.newId().slice(-8)}`

/** For an idempotent retry, returns a violation of `id` instead of the slug's; undefined if another row has the slug. */
export async function madeBefore(
  { db }: Pick<Services, 'db'>,
  table: 'agents' | 'domains',
  id: string,
  cause: unknown,
): Promise<UniqueViolation | undefined> {
  const made = await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()
  return made && new UniqueViolation(table, ['id'], { cause })
}
