import type { Domain } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { requireDomainTo, retryOnConflict } from './domain-access.ts'
import { domainView } from './domains-of.ts'
import { tellDomain } from './tell-domain.ts'

/** Each person has one primary domain; a unique index guarantees it. */
export async function makePrimary(services: Services, person: Person, id: string): Promise<Domain> {
  return retryOnConflict(async () => {
    const { domain } = await requireDomainTo(services, person, id, 'makePrimary')
    if (domain.is_primary) return domainView(domain, 'owner')
    await services.db.batch([
      services.db
        .updateTable('domains')
        .set({ is_primary: false })
        .where('owner_id', '=', person.id)
        .where('is_primary', '=', true),
      requireChanges(
        services.db
          .updateTable('domains')
          .set({ is_primary: true })
          .where('id', '=', id)
          .where('owner_id', '=', person.id),
      ),
      auditing(services, { action: 'domain-made-primary', actor: person, domainId: id }),
    ])
    await tellDomain(services, id)
    return domainView({ ...domain, is_primary: true }, 'owner')
  })
}
