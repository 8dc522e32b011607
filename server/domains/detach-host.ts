import type { Services } from '#server/services.ts'
import type { DomainRow } from './domain-access.ts'

type Hosted = Pick<DomainRow, 'id' | 'custom_domain' | 'custom_domain_token' | 'custom_domain_attached_at'>

/**
 * After a custom domain was taken away or its domain deleted: it is served no more, and the hosting provider lets go of
 * it. A provider that fails is logged and stands in nobody's way. `row` is what it was before.
 */
export async function detachHost(services: Services, row: Hosted): Promise<void> {
  if (!row.custom_domain) return
  // Also where the row said that it was not verified: it may have become so since.
  await services.customHosts.loadChanged(services.db)
  if (!services.hosting || row.custom_domain_attached_at === null) return
  // Two domains may name the same host until one of them is verified; the provider knows it once.
  const another = await services.db
    .selectFrom('domains')
    .select('id')
    .where('custom_domain', '=', row.custom_domain)
    .where('custom_domain_attached_at', 'is not', null)
    .where('id', '!=', row.id)
    .executeTakeFirst()
  if (another) return
  try {
    await services.hosting.detach({
      hostname: row.custom_domain,
      token: row.custom_domain_token ?? '',
      attachedAt: row.custom_domain_attached_at,
    })
  } catch (error) {
    services.log.warn({ err: error, domainId: row.id, host: row.custom_domain }, 'a custom domain was not detached')
  }
}
