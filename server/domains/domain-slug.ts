import type { User } from '#contract/accounts/accounts.ts'
import { getDomainSlugProblem, isReservedDomainSlug } from '#contract/domains/domain-slug.ts'
import { addSlugSuffix, toSlugBase } from '#server/db/insert-with-slug.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

/** @throws Problem 400 naming the field */
export function refuseInvalidSlug(slug: string): void {
  const problem = getDomainSlugProblem(slug)
  if (problem) throw badField('slug', problem)
}

export function createSlugTakenProblem(): Problem {
  const message = 'This slug is taken. Choose another one.'
  return new Problem('slug-taken', { message, fields: { slug: message } })
}

export async function findFreeDomainSlug(
  services: Services,
  name: string,
  fallback: string,
  domainId = '',
): Promise<string> {
  const base = chooseBaseSlug(toSlugBase(name), fallback)
  const { db } = services
  const sameSlug = db.selectFrom('domains').select('id').where('slug', '=', base).where('id', '!=', domainId)
  return (await db.exists(sameSlug)) ? addSlugSuffix(services, base) : base
}

function chooseBaseSlug(slug: string, fallback: string): string {
  if (slug.length < 2) return fallback
  return isReservedDomainSlug(slug) ? `${slug}-${fallback}` : slug
}

export async function insertPrimaryDomain(services: Services, owner: User) {
  const name = owner.name ?? owner.email.split('@')[0] ?? 'Home'
  const now = services.now().getTime()
  return services.db.insertInto('domains').values({
    id: services.newId(),
    owner_id: owner.id,
    name,
    slug: await findFreeDomainSlug(services, name, 'home'),
    description: null,
    is_primary: true,
    custom_domain: null,
    custom_domain_verified: false,
    created_at: now,
    updated_at: now,
  })
}
