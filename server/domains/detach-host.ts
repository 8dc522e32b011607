import type { Services } from '#server/services.ts'
import type { DomainRow } from './domain-access.ts'

type AttachedDomain = Pick<DomainRow, 'id' | 'custom_domain' | 'custom_domain_token' | 'custom_domain_attached_at'>

/** Releases a removed custom domain; failures are only logged. `row` is the domain before the removal. */
export async function detachHost(services: Services, row: AttachedDomain): Promise<void> {
  if (!row.custom_domain) return
  const logFailure = (message: string) => (error: unknown) =>
    services.log.warn({ err: error, domainId: row.id, host: row.custom_domain }, message)
  // Even if the row was unverified, since that may have changed since.
  await services.customHosts
    .loadChanged(services.db)
    .catch(logFailure('custom domains could not be reloaded after a removal'))
  if (!services.hosting || row.custom_domain_attached_at === null) return
  // Unverified domains can share a host name, which the provider has once. If the lookup fails it is released anyway: no
  // one would clean it up later, and a domain that needs it can add it again.
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
