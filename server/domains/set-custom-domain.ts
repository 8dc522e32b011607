import { randomBytes } from 'node:crypto'
import type { Domain } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { readHostName } from './custom/host-name.ts'
import { detachHost } from './detach-host.ts'
import { type DomainRow, holdDomain, requireDomainTo, retryOnConflict } from './domain-access.ts'
import { domainView } from './domains-of.ts'
import { tellDomain } from './tell-domain.ts'

/** A new name is unverified with a new token; several domains can claim a host. @throws Problem 400; `stale` with both */
export async function setCustomDomain(
  services: Services,
  person: Person,
  id: string,
  given: string | null | undefined,
  ifMatch: number | null = null,
): Promise<Domain> {
  const { before, after } = await retryOnConflict(async () => {
    const found = await requireDomainTo(services, person, id, 'setCustomDomain')
    const before = found.domain
    const host = hostIn(services, before, given)
    if (ifMatch !== null && ifMatch !== before.rev) {
      const verified = host === before.custom_domain && before.custom_domain_verified
      const yours = { ...before, custom_domain: host, custom_domain_verified: verified, rev: ifMatch }
      throw new Problem('stale', {
        data: { yours: domainView(yours, 'owner'), current: domainView(before, 'owner') },
      })
    }
    if (host === before.custom_domain) return { before, after: before }
    const columns = {
      custom_domain: host,
      custom_domain_verified: false,
      custom_domain_token: host === null ? null : randomBytes(10).toString('hex'),
      custom_domain_attached_at: null,
      custom_domain_checked_at: null,
      custom_domain_broken_since: null,
      updated_at: services.now().getTime(),
      rev: before.rev + 1,
    }
    await services.db.batch([
      ...holdDomain(services, person, found),
      requireChanges(
        services.db
          .updateTable('domains')
          .set(columns)
          .where('id', '=', before.id)
          .where('rev', '=', before.rev)
          .where('custom_domain', 'is not distinct from', before.custom_domain)
          // If it was attached concurrently, the provider would have to release it.
          .where('custom_domain_attached_at', 'is not distinct from', before.custom_domain_attached_at),
      ),
      auditing(services, {
        action: host === null ? 'custom-domain-removed' : 'custom-domain-set',
        actor: person,
        domainId: before.id,
        subject: host ?? before.custom_domain,
        details: { from: before.custom_domain, to: host },
      }),
    ])
    return { before, after: { ...before, ...columns } satisfies DomainRow }
  })
  if (after !== before) {
    await detachHost(services, before)
    await tellDomain(services, id)
  }
  return domainView(after, 'owner')
}

function hostIn({ settings }: Services, before: DomainRow, given: string | null | undefined): string | null {
  if (given === undefined) return before.custom_domain
  return given === null ? null : readHostName(given, settings)
}
