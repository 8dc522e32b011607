import type { Domain } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { requireDomainTo, retryOnConflict } from './domain-access.ts'
import { toDomain } from './list-domains.ts'
import { publishDomainChanged } from './publish-domain-changed.ts'

export async function setPrimaryDomain(services: Services, person: Person, id: string): Promise<Domain> {
  return retryOnConflict(async () => {
    const { domain } = await requireDomainTo(services, person, id, 'makePrimary')
    if (domain.is_primary) return toDomain(domain, 'owner')
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
      insertAudit(services, { action: 'domain-made-primary', actor: person, domainId: id }),
    ])
    await publishDomainChanged(services, id)
    return toDomain({ ...domain, is_primary: true }, 'owner')
  })
}
