import type { User } from '#contract/accounts/accounts.ts'
import { slugFrom } from '#contract/agents/agent-slug.ts'
import type { Services } from '#server/services.ts'

/** The insert of the domain everybody gets at registration, with a slug from the name that nobody else has. */
export async function primaryDomain(services: Services, owner: User) {
  const name = owner.name ?? owner.email.split('@')[0] ?? 'Home'
  const now = services.now().getTime()
  return services.db.insertInto('domains').values({
    id: services.newId(),
    owner_id: owner.id,
    name,
    slug: await freeSlug(services, slugFrom(name) || 'home'),
    description: null,
    is_primary: true,
    custom_domain: null,
    custom_domain_verified: false,
    created_at: now,
    updated_at: now,
  })
}

async function freeSlug(services: Services, wanted: string): Promise<string> {
  const base = wanted.slice(0, 54)
  const taken = await services.db.selectFrom('domains').select('slug').where('slug', '=', base).executeTakeFirst()
  // Random rather than the next number: two who register at once must not want the same one.
  return taken ? `${base}-${services.newId().slice(0, 8)}` : base
}
