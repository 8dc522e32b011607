import { sql } from 'kysely'
import { type PlatformRole, platformRoles } from '#contract/accounts/accounts.ts'
import type { UserWithRoles } from '#contract/administration/administration.ts'
import type { Services } from '#server/services.ts'
import { accountNotFound } from './grant-role.ts'
import { rolesOf, saidInNameOrEmail } from './people-with-roles.ts'

const mostPeople = 1000

/** Those who hold a role first, the mightiest of them before the others, then by name. */
export async function listRoleUsers(services: Services, search?: string): Promise<UserWithRoles[]> {
  const { db } = services
  let query = selectUsers(services)
    .orderBy(sql`case when people.id in (select person_id from role_grants) then 0 else 1 end`)
    .orderBy(sql`coalesce(people.name, people.email)`)
    .orderBy('people.id')
    .limit(mostPeople)
  if (search) query = query.where(saidInNameOrEmail(db.engine, search))
  const people = await withRoles(services, await db.longRead(query))
  const rank = ({ roles }: UserWithRoles) =>
    roles[0] === undefined ? platformRoles.length : platformRoles.indexOf(roles[0])
  return people.toSorted((a, b) => rank(a) - rank(b))
}

/** @throws Problem 404 */
export async function showRoleUser(services: Services, id: string): Promise<UserWithRoles> {
  const [person] = await withRoles(services, await selectUsers(services).where('people.id', '=', id).execute())
  if (!person) throw accountNotFound()
  return person
}

const selectUsers = ({ db }: Services) =>
  db
    .selectFrom('people')
    .select(['people.id', 'people.name', 'people.email', 'people.deactivated_at', 'people.deletes_at'])

type Row = Pick<UserWithRoles, 'id' | 'name' | 'email'> & { deactivated_at: number | null; deletes_at: number | null }

async function withRoles(services: Services, rows: Row[]): Promise<UserWithRoles[]> {
  const roles: Map<string, PlatformRole[]> = await rolesOf(
    services,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, name, email, deactivated_at, deletes_at }) => ({
    id,
    name,
    email,
    roles: roles.get(id) ?? [],
    deactivated: deactivated_at !== null,
    leaving: deletes_at !== null,
  }))
}
