import type * as z from 'zod/mini'
import type { Domain, domains } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { refuseLinkInName } from '#server/http/links-in-names.ts'
import { madeBefore } from '#server/insert-under-slug.ts'
import type { Services } from '#server/services.ts'
import { requireDomainTo, retryOnConflict } from './domain-access.ts'
import { freeSlug, refuseSlug, slugTaken } from './domain-slug.ts'
import { domainView } from './domains-of.ts'
import { tellDomain } from './tell-domain.ts'

/** @throws Problem 400 for an invalid slug, 409 `slug-taken` with `fields` */
export async function createDomain(
  services: Services,
  person: Person,
  given: z.output<typeof domains.create.body & {}>,
): Promise<Domain> {
  refuseLinkInName('name', given.name)
  if (given.slug) refuseSlug(given.slug)
  // Drawn once: a retry under the same idempotency key inserts the same id.
  const id = services.newId()
  return retryOnConflict(async () => {
    const now = services.now().getTime()
    const row = {
      id,
      owner_id: person.id,
      name: given.name,
      slug: given.slug || (await freeSlug(services, given.name, 'domain')),
      description: given.description || null,
      is_primary: false,
      custom_domain: null,
      custom_domain_verified: false,
      created_at: now,
      updated_at: now,
    }
    try {
      await services.db.batch([
        services.db.insertInto('domains').values(row),
        auditing(services, { action: 'domain-created', actor: person, domainId: id }),
      ])
    } catch (error) {
      if (!given.slug || !(error instanceof UniqueViolation)) throw error
      throw (await madeBefore(services, 'domains', id, error)) ?? slugTaken()
    }
    await tellDomain(services, id)
    const { domain, role } = await requireDomainTo(services, person, id, 'see')
    return domainView(domain, role)
  })
}
