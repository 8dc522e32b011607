import type * as z from 'zod/mini'
import type { Domain, domains } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { findEarlierCreation } from '#server/db/insert-with-slug.ts'
import { refuseLinkInName } from '#server/http/links-in-names.ts'
import type { Services } from '#server/services.ts'
import { requireDomainTo, retryOnConflict } from './domain-access.ts'
import { findFreeDomainSlug, refuseSlug, slugTaken } from './domain-slug.ts'
import { toDomain } from './list-domains.ts'
import { publishDomainChanged } from './publish-domain-changed.ts'

/** @throws Problem 400 for an invalid slug, 409 `slug-taken` with `fields` */
export async function createDomain(
  services: Services,
  person: Person,
  input: z.output<typeof domains.create.body & {}>,
): Promise<Domain> {
  refuseLinkInName('name', input.name)
  if (input.slug) refuseSlug(input.slug)
  const id = services.newId()
  return retryOnConflict(async () => {
    const now = services.now().getTime()
    const row = {
      id,
      owner_id: person.id,
      name: input.name,
      slug: input.slug || (await findFreeDomainSlug(services, input.name, 'domain')),
      description: input.description || null,
      is_primary: false,
      custom_domain: null,
      custom_domain_verified: false,
      created_at: now,
      updated_at: now,
    }
    try {
      await services.db.batch([
        services.db.insertInto('domains').values(row),
        insertAudit(services, { action: 'domain-created', actor: person, domainId: id }),
      ])
    } catch (error) {
      if (!input.slug || !(error instanceof UniqueViolation)) throw error
      throw (await findEarlierCreation(services, 'domains', id, error)) ?? slugTaken()
    }
    await publishDomainChanged(services, id)
    const { domain, role } = await requireDomainTo(services, person, id, 'see')
    return toDomain(domain, role)
  })
}
