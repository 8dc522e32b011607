import { domainSlugProblem, isOwnSegment } from '#contract/domains/domain-slug.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { slugBase, slugBehind } from '#server/insert-under-slug.ts'
import type { Services } from '#server/services.ts'

/** @throws Problem 400 naming the field */
export function refuseSlug(slug: string): void {
  const problem = domainSlugProblem(slug)
  if (problem) throw badField('slug', problem)
}

export function slugTaken(): Problem {
  const message = 'This slug is taken. Choose another one.'
  return new Problem('slug-taken', { message, fields: { slug: message } })
}

/** An unused slug for a name; `fallback` if the name has no usable letters. */
export async function freeSlug(services: Services, name: string, fallback: string, ownId = ''): Promise<string> {
  const made = slugBase(name)
  const base = made.length < 2 ? fallback : isOwnSegment(made) ? `${made}-${fallback}` : made
  const taken = await services.db
    .selectFrom('domains')
    .select('id')
    .where('slug', '=', base)
    .where('id', '!=', ownId)
    .executeTakeFirst()
  return taken ? slugBehind(services, base) : base
}
