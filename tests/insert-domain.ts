import type { DomainRole } from '#contract/domains/domain-actions.ts'
import type { Actor, TestApp } from './test-app.ts'

/** Inserts a domain with members directly into the tables; returns its id. */
export async function insertDomain(
  { services }: TestApp,
  owner: Pick<Actor, 'id'>,
  members: [Pick<Actor, 'id'>, Exclude<DomainRole, 'owner'>][] = [],
  name = 'Willowbrook',
): Promise<string> {
  const id = services.newId()
  const now = services.now().getTime()
  const columns = { name, slug: `domain-${id}`, description: null, custom_domain: null, custom_domain_verified: false }
  await services.db
    .insertInto('domains')
    .values({ id, owner_id: owner.id, ...columns, is_primary: false, created_at: now, updated_at: now })
    .execute()
  for (const [{ id: person_id }, role] of members)
    await services.db
      .insertInto('domain_members')
      .values({ domain_id: id, person_id, role, added_at: now, agreed_at: now })
      .execute()
  return id
}
