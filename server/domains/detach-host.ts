import type { Services } from '#server/services.ts'
import type { DomainRow } from './domain-access.ts'

type Hosted = Pick<DomainRow, 'id' | 'custom_domain' | 'custom_domain_token' | 'custom_domain_attached_at'>

/**
 * After a custom domain was taken away or its domain deleted: it is served no more, and the hosting provider lets go of
 * it. That is done, so whatever fails here is logged and stands in nobody's way. `row` is what it was before.
 */
export async function detachHost(services: Services, row: Hosted): Promise<void> {
  if (!row.custom_domain) return
  const logged = (what: string) => (error: unknown) =>
    services.log.warn({ err: error, domainId: row.id, host: row.custom_domain }, what)
  // Also where the row said that it was not verified: it may have become so since.
  await services.customHosts
    .loadChanged(services.db)
    .catch(logged('custom domains could not be looked up after one was taken away'))
  if (!services.hosting || row.custom_domain_attached_at === null) return
  // Two domains may name the same host until one of them is verified; the provider knows it once. Where that cannot be
  // looked up it is let go: nobody would come back to what stays, and whoever still needs it can add it again.
  const another = await services.db
    .selectFrom('domains')
    .select('id')
    .where('custom_domain', '=', row.custom_domain)
    .where('custom_domain_attached_at', 'is not', null)
    .where('id', '!=', row.id)
    .executeTakeFirst()
    .catch(logged('whether another domain needs a custom domain could not be looked up'))
  if (another) return
  const name = {
    hostname: row.custom_domain,
    token: row.custom_domain_token ?? '',
    attachedAt: row.custom_domain_attached_at,
  }
  await services.hosting.detach(name).catch(logged('a custom domain was not detached'))
}
