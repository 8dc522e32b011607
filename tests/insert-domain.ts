import type { MemberRole } from '#contract/domains/domains.ts'
import type { Services } from '#server/services.ts'
import type { Actor, TestApp } from './test-app.ts'

/** Inserts a domain with members directly into the tables; returns its id. */
export async function insertDomain(
  { services }: Pick<TestApp, 'services'>,
  owner: Pick<Actor, 'id'>,
  members: [Pick<Actor, 'id'>, MemberRole][] = [],
  name = 'Willowbrook',
): Promise<string> {
  const id = services.newId()
  const now = services.now().getTime()
  const columns = { name, slug: `domain-${id}`, description: null, custom_domain: null, custom_domain_verified: false }
  await services.db
    .insertInto('domains')
    .values({ id, owner_id: owner.id, ...columns, is_primary: false, created_at: now, updated_at: now })
    .execute()
  for (const [person, role] of members) await insertMember(services, id, person, role, now)
  return id
}

/** Inserts a member who has accepted directly into the table. */
export async function insertMember(
  { db }: Pick<Services, 'db'>,
  domain_id: string,
  { id: person_id }: Pick<Actor, 'id'>,
  role: MemberRole,
  at = 1,
): Promise<void> {
  await db.insertInto('domain_members').values({ domain_id, person_id, role, added_at: at, agreed_at: at }).execute()
}
