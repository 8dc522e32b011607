import { slugFrom } from '#contract/agents/agent-slug.ts'
import { UniqueViolation } from './db/database-errors.ts'
import type { Services } from './services.ts'

/** The slug of a name, with room for a few characters more; '' where the name has no letters for one. */
export const slugBase = (name: string): string => slugFrom(name).slice(0, 54).replace(/-$/, '')

/** As newId makes them: calls take an id or a slug, and the slug of one must not be the id of another. */
const looksLikeId = /^[0-9a-f]{32}$/

/** Inserts something new under a slug; when another one has it, or may have it as an id, with a few characters more at its end. */
export async function insertUnderSlug<Row>(
  services: Pick<Services, 'newId'>,
  slug: string,
  insert: (names: { id: string; slug: string }) => Promise<Row>,
): Promise<Row> {
  // Once: carried out again under its key, it comes to the same one.
  const id = services.newId()
  try {
    return await insert({ id, slug: looksLikeId.test(slug) ? slugBehind(services, slug) : slug })
  } catch (error) {
    if (!(error instanceof UniqueViolation) || error.columns.join() === 'id') throw error
    return insert({ id, slug: slugBehind(services, slug) })
  }
}

/** Random rather than the next number: two who ask at once must not want the same one. */
export const slugBehind = (services: Pick<Services, 'newId'>, slug: string): string =>
  `${slug}-${services.newId().slice(-8)}`

/**
 * Where a slug was taken, whether by this very thing: it was made before under its key, without a heard answer. Engines
 * name the slug then or the id; this names the id. Undefined where somebody else has the slug.
 */
export async function madeBefore(
  { db }: Pick<Services, 'db'>,
  table: 'agents' | 'domains',
  id: string,
  cause: unknown,
): Promise<UniqueViolation | undefined> {
  const made = await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()
  return made && new UniqueViolation(table, ['id'], { cause })
}
