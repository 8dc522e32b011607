import { randomBytes } from 'node:crypto'
import type { Domain } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { readHostName } from './custom/host-name.ts'
import { detachHost } from './detach-host.ts'
import { type DomainRow, lookingAgain, requireDomainTo, stillSo } from './domain-access.ts'
import { domainView } from './domains-of.ts'
import { tellDomain } from './tell-domain.ts'

/**
 * Writes down a custom domain, or takes it away. Another name begins unverified, with a token of its own; several
 * domains may name the same host, and who proves it is theirs has it.
 */
export async function setCustomDomain(
  services: Services,
  person: Person,
  id: string,
  given: string | null,
): Promise<Domain> {
  const { before, after } = await lookingAgain(async () => {
    const found = await requireDomainTo(services, person, id, 'setCustomDomain')
    const before = found.domain
    const host = given === null ? null : readHostName(given, services.settings)
    if (host === before.custom_domain) return { before, after: before }
    const columns = {
      custom_domain: host,
      custom_domain_verified: false,
      custom_domain_token: host === null ? null : randomBytes(10).toString('hex'),
      custom_domain_attached_at: null,
      custom_domain_checked_at: null,
      custom_domain_broken_since: null,
      updated_at: services.now().getTime(),
    }
    await services.db.batch([
      ...stillSo(services, person, found),
      requireChanges(
        services.db
          .updateTable('domains')
          .set(columns)
          .where('id', '=', before.id)
          .where('custom_domain', 'is not distinct from', before.custom_domain),
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
