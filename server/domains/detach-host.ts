import type { Services } from '#server/services.ts'
import type { DomainRow } from './domain-access.ts'

type AttachedDomain = Pick<DomainRow, 'id' | 'custom_domain' | 'custom_domain_token' | 'custom_domain_attached_at'>

export async function detachHost(services: Services, row: AttachedDomain): Promise<void> {
  if (!row.custom_domain) return
  const logFailure = (message: string) => (error: unknown) =>
    services.log.warn({ err: error, domainId: row.id, host: row.custom_domain }, message)
  // Even if the row was unverified, since that may have changed since.
  await services.customHosts
    .loadChanged(services.db)
    .catch(logFailure('custom domains could not be reloaded after a removal'))
  if (!services.hosting || row.custom_domain_attached_at === null) return
  // Other domains can claim the host, too. If the lookup fails it is released anyway: no one would do it later.
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
