import type { User } from '#contract/accounts/accounts.ts'
import type { Services } from '#server/services.ts'
import { findFreeDomainSlug } from './domain-slug.ts'

export async function insertPrimaryDomain(services: Services, owner: User) {
  const name = owner.name ?? owner.email.split('@')[0] ?? 'Home'
  const now = services.now().getTime()
  return services.db.insertInto('domains').values({
    id: services.newId(),
    owner_id: owner.id,
    name,
    slug: await findFreeDomainSlug(services, name, 'home'),
    description: null,
    is_primary: true,
    custom_domain: null,
    custom_domain_verified: false,
    created_at: now,
    updated_at: now,
  })
}
