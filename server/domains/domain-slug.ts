import { slugFrom } from '#contract/agents/agent-slug.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

const pattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/
const rule = 'Use 2 to 63 lowercase letters, digits and hyphens, with no hyphen at either end.'

/** @throws Problem 400 that names the field and a slug that would do, if there is one */
export function refuseSlug(slug: string): void {
  if (pattern.test(slug)) return
  const better = slugFrom(slug.replaceAll('_', '-'))
  throw badField('slug', pattern.test(better) ? `${rule} Use ${better}` : rule)
}

export function slugTaken(): Problem {
  const message = 'This slug is taken. Choose another one.'
  return new Problem('slug-taken', { message, fields: { slug: message } })
}

/** A slug made from a name that no other domain than `ownId` has; `fallback` where the name has no letters for one. */
export async function freeSlug(services: Services, name: string, fallback: string, ownId = ''): Promise<string> {
  const made = slugFrom(name).slice(0, 54).replace(/-$/, '')
  const base = made.length < 2 ? fallback : made
  const taken = await services.db
    .selectFrom('domains')
    .select('id')
    .where('slug', '=', base)
    .where('id', '!=', ownId)
    .executeTakeFirst()
  // Random rather than the next number: two who ask at once must not want the same one.
  return taken ? `${base}-${services.newId().slice(0, 8)}` : base
}
