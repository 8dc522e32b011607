import { randomBytes } from 'node:crypto'
import type { Domain } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { readHostName } from './custom/host-name.ts'
import { type DomainRow, lockDomain, requireDomainAccess, retryOnConflict } from './domain-access.ts'
import { toDomain } from './list-domains.ts'
import { publishDomainChanged } from './publish-domain-changed.ts'

/** A new host is unverified and gets a new token; several domains can claim the same host. @throws Problem 400; `stale` with both versions */
export async function setCustomDomain(
  services: Services,
  person: Person,
  id: string,
  requestedHost: string | null | undefined,
  ifMatch: number | null = null,
): Promise<Domain> {
  const { previous, updated } = await retryOnConflict(async () => {
    const access = await requireDomainAccess(services, person, id, 'setCustomDomain')
    const previous = access.domain
    const host = parseHost(services, previous, requestedHost)
    if (ifMatch !== null && ifMatch !== previous.rev) {
      const verified = host === previous.custom_domain && previous.custom_domain_verified
      const sentDomain = { ...previous, custom_domain: host, custom_domain_verified: verified, rev: ifMatch }
      throw new Problem('stale', {
        data: { yours: toDomain(sentDomain, 'owner'), current: toDomain(previous, 'owner') },
      })
    }
    if (host === previous.custom_domain) return { previous, updated: previous }
    const columns = {
      custom_domain: host,
      custom_domain_verified: false,
      custom_domain_token: host === null ? null : randomBytes(10).toString('hex'),
      custom_domain_attached_at: null,
      custom_domain_checked_at: null,
      custom_domain_broken_since: null,
      updated_at: services.now().getTime(),
      rev: previous.rev + 1,
    }
    await services.db.batch([
      ...lockDomain(services, person, access),
      requireChanges(
        services.db
          .updateTable('domains')
          .set(columns)
          .where('id', '=', previous.id)
          .where('rev', '=', previous.rev)
          .where('custom_domain', 'is not distinct from', previous.custom_domain)
          // If the custom domain was attached concurrently, the provider would have to release it.
          .where('custom_domain_attached_at', 'is not distinct from', previous.custom_domain_attached_at),
      ),
      insertAudit(services, {
        action: host === null ? 'custom-domain-removed' : 'custom-domain-set',
        actor: person,
        domainId: previous.id,
        subject: host ?? previous.custom_domain,
        details: { from: previous.custom_domain, to: host },
      }),
    ])
    return { previous, updated: { ...previous, ...columns } satisfies DomainRow }
  })
  if (updated !== previous) {
    await detachHost(services, previous)
    await publishDomainChanged(services, id)
  }
  return toDomain(updated, 'owner')
}

function parseHost(
  { settings }: Services,
  previous: DomainRow,
  requestedHost: string | null | undefined,
): string | null {
  if (requestedHost === undefined) return previous.custom_domain
  return requestedHost === null ? null : readHostName(requestedHost, settings)
}

type AttachedDomain = Pick<DomainRow, 'id' | 'custom_domain' | 'custom_domain_token' | 'custom_domain_attached_at'>

export async function detachHost(services: Services, row: AttachedDomain): Promise<void> {
  if (!row.custom_domain) return
  const logFailure = (message: string) => (error: unknown) =>
    services.log.warn({ err: error, domainId: row.id, host: row.custom_domain }, message)
  // Reload even if the row was unverified, because it may have been verified in the meantime.
  await services.customHosts
    .loadChanged(services.db)
    .catch(logFailure('custom domains could not be reloaded after a removal'))
  if (!services.hosting || row.custom_domain_attached_at === null) return
  // Keep the host attached for another domain. If the lookup fails, detach it anyway, because nothing would do it later.
  const otherDomain = await services.db
    .selectFrom('domains')
    .select('id')
    .where('custom_domain', '=', row.custom_domain)
    .where('custom_domain_attached_at', 'is not', null)
    .where('id', '!=', row.id)
    .executeTakeFirst()
    .catch(logFailure('could not check whether another domain uses a custom domain'))
  if (otherDomain) return
  const name = {
    hostname: row.custom_domain,
    token: row.custom_domain_token ?? '',
    attachedAt: row.custom_domain_attached_at,
  }
  await services.hosting.detach(name).catch(logFailure('a custom domain could not be detached'))
}
