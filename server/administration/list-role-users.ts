import { sql } from 'kysely'
import { type PlatformRole, platformRoles } from '#contract/accounts/accounts.ts'
import type { UserWithRoles } from '#contract/administration/administration.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { accountNotFound } from './grant-role.ts'
import { getRolesByPerson, matchNameOrEmail } from './people-with-roles.ts'

const roleRank = sql<number>`coalesce((
  select min(case role ${sql.join(
    platformRoles.map((role, index) => sql`when ${sql.lit(role)} then ${sql.lit(index)}`),
    sql` `,
  )} end) from role_grants where role_grants.person_id = people.id
), ${sql.lit(platformRoles.length)})`
const displayName = sql<string>`coalesce(people.name, people.email)`
const rolesByRank: PageOrder = [
  [roleRank, 'asc'],
  [displayName, 'asc'],
  [sql.ref('people.id'), 'asc'],
]

/** People by highest role, then by name. @throws Problem 400 for an invalid cursor */
export async function listRoleUsers(
  services: Services,
  { search, cursor }: { search?: string | undefined; cursor?: string | undefined } = {},
): Promise<Reply<UserWithRoles[]>> {
  const { db } = services
  let query = selectUsers(services).select([roleRank.as('rank'), displayName.as('called_as')])
  if (search) query = query.where(matchNameOrEmail(db.engine, search))
  const { rows, next_cursor } = await readPage(query, {
    order: rolesByRank,
    after: parseCursor(cursor, [0, '', '']),
    getPosition: (row) => [row.rank, row.called_as, row.id],
    read: (page) => db.longRead(page),
  })
  return new Reply(await withRoles(services, rows), { extra: { next_cursor } })
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

type RoleUserRow = Pick<UserWithRoles, 'id' | 'name' | 'email'> & {
  deactivated_at: number | null
  deletes_at: number | null
}

async function withRoles(services: Services, rows: RoleUserRow[]): Promise<UserWithRoles[]> {
  const roles: Map<string, PlatformRole[]> = await getRolesByPerson(
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
