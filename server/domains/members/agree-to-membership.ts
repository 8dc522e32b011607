import type { Domain } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { agreeing } from '../agreeing.ts'
import { domainNotFound, holdDomain, requireDomainTo, retryOnConflict } from '../domain-access.ts'
import { domainView } from '../domains-of.ts'
import { tellDomain } from '../tell-domain.ts'

/** Idempotent. @throws Problem 404 for people who aren't members */
export async function agreeToMembership(services: Services, person: Person, id: string): Promise<Domain> {
  return retryOnConflict(async () => {
    const found = await requireDomainTo(services, person, id, 'see')
    if (found.role === null) throw domainNotFound()
    if (!found.agreed) {
      await services.db.batch([...holdDomain(services, person, found), ...agreeing(services, person, found)])
      await tellDomain(services, id)
    }
    return domainView(found.domain, found.role, true)
  })
}
