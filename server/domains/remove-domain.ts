import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { detachHost } from './detach-host.ts'
import { requireDomainTo, retryOnConflict } from './domain-access.ts'
import { listDomainPeople, publishDomainChanged } from './publish-domain-changed.ts'

/** Shared entities stay with their owners. @throws Problem 409 for the primary domain */
export async function removeDomain(services: Services, person: Person, id: string): Promise<null> {
  return retryOnConflict(async () => {
    const { domain } = await requireDomainTo(services, person, id, 'remove')
    if (domain.is_primary)
      throw new Problem('conflict', {
        message: 'Your primary domain can’t be deleted. Make another domain your primary one first.',
      })
    const people = await listDomainPeople(services, id)
    await services.db.batch([
      requireChanges(
        services.db
          .deleteFrom('domains')
          .where('id', '=', id)
          .where('owner_id', '=', person.id)
          .where('is_primary', '=', false)
          .where('custom_domain', 'is not distinct from', domain.custom_domain)
          // If it was attached concurrently, the provider would have to release it.
          .where('custom_domain_attached_at', 'is not distinct from', domain.custom_domain_attached_at),
      ),
      insertAudit(services, { action: 'domain-deleted', actor: person, domainId: id, subject: domain.custom_domain }),
    ])
    await detachHost(services, domain)
    await publishDomainChanged(services, id, people)
    return null
  })
}
