import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type PlatformRole, platformRoles } from '#contract/accounts/accounts.ts'
import type { UserWithRoles } from '#contract/administration/administration.ts'
import { buildPasswordExposedCondition, deleteUnusedLinks, lockPerson } from '#server/accounts/one-time-link.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { containsWord } from '#server/db/contains-word.ts'
import { type Engine, requireChanges, type Write } from '#server/db/database.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'

export interface RoleChange {
  personId: string
  role: PlatformRole
  by: { id: string } | null
  /** The identity provider's claims gave the role. */
  isFromClaim?: boolean
  /** Refuses to revoke the role of the last person who can open the administration. */
  keepsLastAdmin?: boolean
}

/** Idempotent. @throws Problem 404; 409 if the creator of a reset link may know the password, as revoking wouldn't help */
export async function grantRole(
  services: Services,
  { personId, role, by, isFromClaim = false }: RoleChange,
): Promise<void> {
  const { db } = services
  const insertGrant = db
    .insertInto('role_grants')
    .columns(['person_id', 'role', 'granted_at', 'granted_by', 'from_claim'])
    .expression((from) =>
      from
        .selectFrom('people')
        .select([
          'people.id as person_id',
          sql<PlatformRole>`${role}`.as('role'),
          sql.val(services.now().getTime()).as('granted_at'),
          sql.val(by?.id ?? null).as('granted_by'),
          sql.lit(isFromClaim).as('from_claim'),
        ])
        .where('people.id', '=', personId)
        .where(({ not }) => not(buildPasswordExposedCondition(personId))),
    )
    .onConflict((conflict) => conflict.doNothing())
  const isGranted = await db.batchUnlessChanged([
    ...lockPerson(services, personId),
    requireChanges(insertGrant),
    // A link created for the weaker account must not open the stronger one.
    deleteUnusedLinks(services, personId),
    insertAudit(services, { action: 'role-granted', actor: by, personId, subject: role }),
  ])
  if (!isGranted && !(await hasRole(services, personId, role))) throw await explainRefusedGrant(services, personId)
  publishRoleChange(services, personId)
}

async function explainRefusedGrant({ db }: Services, personId: string): Promise<Problem> {
  if (!(await db.exists(db.selectFrom('people').select('id').where('id', '=', personId))))
    return createAccountNotFoundProblem()
  return new Problem('conflict', {
    message:
      'The password of this account was set through a reset link, and the person who created the link may know it. Create a new reset link; once it is used, grant the role.',
  })
}

/** Idempotent. @throws Problem 409 for the last super-admin */
export async function revokeRole(
  services: Services,
  { personId, role, by, keepsLastAdmin = false }: RoleChange,
): Promise<void> {
  let deleteGrant = services.db.deleteFrom('role_grants').where('person_id', '=', personId).where('role', '=', role)
  if (role === 'super-admin') deleteGrant = deleteGrant.where(buildSuperAdminRemainsCondition(personId))
  if (keepsLastAdmin && role === 'admin') deleteGrant = deleteGrant.where(buildAdminRemainsCondition(personId))
  const isRevoked = await services.db.batchUnlessChanged([
    ...(role === 'super-admin' || keepsLastAdmin ? lockSuperAdmins(services) : []),
    requireChanges(deleteGrant),
    insertAudit(services, { action: 'role-revoked', actor: by, personId, subject: role }),
  ])
  if (!isRevoked && (await hasRole(services, personId, role))) throw createLastSuperAdminProblem()
  publishRoleChange(services, personId)
}

function publishRoleChange(services: Services, personId: string): void {
  services.sessions.evictPerson(personId)
  services.live.publish(personId, { type: 'session-changed' })
}

function hasRole({ db }: Services, personId: string, role: PlatformRole): Promise<boolean> {
  return db.exists(
    db.selectFrom('role_grants').select('person_id').where('person_id', '=', personId).where('role', '=', role),
  )
}

export function createAccountNotFoundProblem(): Problem {
  return new Problem('not-found', { message: 'This account doesn’t exist.' })
}

/** First write of a batch that removes an administrator: PostgreSQL would let two concurrent ones remove each other. */
export function lockSuperAdmins({ db }: Services): Write[] {
  if (db.engine === 'sqlite') return []
  return [
    // A fixed order prevents deadlocks.
    db
      .selectFrom('role_grants')
      .select('person_id')
      .where('role', 'in', ['super-admin', 'admin'])
      .orderBy('person_id')
      .orderBy('role')
      .forUpdate(),
  ]
}

/** SQL condition for removing a person: they aren't super-admin, or another active one remains. */
export function buildSuperAdminRemainsCondition(personId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(
    not exists (select 1 from role_grants as person_grant where person_grant.person_id = ${personId} and person_grant.role = 'super-admin')
    or exists (
      select 1 from role_grants as other
      inner join people as holder on holder.id = other.person_id
      where other.role = 'super-admin' and other.person_id <> ${personId}
        and holder.deactivated_at is null and holder.deletes_at is null
    )
  )`
}

function buildAdminRemainsCondition(personId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (
    select 1 from role_grants as other
    inner join people as holder on holder.id = other.person_id
    where other.role in ('super-admin', 'admin') and (other.person_id <> ${personId} or other.role = 'super-admin')
      and holder.deactivated_at is null and holder.deletes_at is null
  )`
}

export async function isLastSuperAdmin({ db }: Services, personId: string): Promise<boolean> {
  const query = db.selectNoFrom(buildSuperAdminRemainsCondition(personId).as('is_removable'))
  return !(await query.executeTakeFirstOrThrow()).is_removable
}

export function createLastSuperAdminProblem(): Problem {
  return new Problem('conflict', {
    message: 'This is the last super-admin. Grant the role to someone else first.',
  })
}

export function matchNameOrEmail(engine: Engine, search: string): Expression<SqlBool> {
  return sql<SqlBool>`(${containsWord(engine, 'people.name', search)} or ${containsWord(engine, 'people.email_folded', search.toLowerCase())})`
}

export async function getRolesByPerson({ db }: Services, ids: readonly string[]): Promise<Map<string, PlatformRole[]>> {
  if (ids.length === 0) return new Map()
  const grants = await db.selectFrom('role_grants').select(['person_id', 'role']).execute()
  const requestedIds = new Set(ids)
  const grantsByPerson = Map.groupBy(
    grants.filter(({ person_id }) => requestedIds.has(person_id)),
    ({ person_id }) => person_id,
  )
  const sortRoles = (roles: PlatformRole[]) => platformRoles.filter((role) => roles.includes(role))
  return new Map([...grantsByPerson].map(([id, rows]) => [id, sortRoles(rows.map(({ role }) => role))]))
}

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
  let query = selectUsers(services).select([roleRank.as('rank'), displayName.as('display_name')])
  if (search) query = query.where(matchNameOrEmail(db.engine, search))
  const { rows, next_cursor } = await readPage(query, {
    order: rolesByRank,
    after: parseCursor(cursor, ['number', 'string', 'string']),
    getPosition: (row) => [row.rank, row.display_name, row.id],
    read: (page) => db.longRead(page),
  })
  return new Reply(await withRoles(services, rows), { extra: { next_cursor } })
}

/** @throws Problem 404 */
export async function showRoleUser(services: Services, id: string): Promise<UserWithRoles> {
  const [person] = await withRoles(services, await selectUsers(services).where('people.id', '=', id).execute())
  if (!person) throw createAccountNotFoundProblem()
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
