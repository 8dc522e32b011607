import type { Domain } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { domainNotFound, lockDomain, requireDomainTo, retryOnConflict } from '../domain-access.ts'
import { toDomain } from '../list-domains.ts'
import { publishDomainChanged } from '../publish-domain-changed.ts'
import { acceptMembership } from './accept-membership.ts'

/** Idempotent. @throws Problem 404 for people who aren't members */
export async function acceptOwnMembership(services: Services, person: Person, id: string): Promise<Domain> {
  return retryOnConflict(async () => {
    const access = await requireDomainTo(services, person, id, 'see')
    if (access.role === null) throw domainNotFound()
    if (!access.agreed) {
      await services.db.batch([...lockDomain(services, person, access), ...acceptMembership(services, person, access)])
      await publishDomainChanged(services, id)
    }
    return toDomain(access.domain, access.role, true)
  })
}
