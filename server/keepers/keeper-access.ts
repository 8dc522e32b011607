import { type Selectable, type SqlBool, sql } from 'kysely'
import { getSampleKeeperId } from '#contract/keepers/sample-keeper.ts'
import type { Person } from '#server/accounts/person.ts'
import { type Database, prepareQuery } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

export type KeeperRow = Selectable<Schema['keepers']>
type Owner = Pick<Person, 'id' | 'connection'>

/** The keeper of an entry. */
export const toKeeperRef = ({ keeper_id, owner_id }: { keeper_id: string; owner_id: string }) => ({
  id: keeper_id,
  owner_id,
})

/** The undeleted rows of a keeper. @param table for queries of several tables */
export function isActiveIn(keeperId: string, table?: string) {
  const prefix = table ? `${table}.` : ''
  return sql<SqlBool>`${sql.ref(`${prefix}keeper_id`)} = ${keeperId} and ${sql.ref(`${prefix}deleted_at`)} is null`
}

/** As {@link isActiveIn}, without rows of other people, which a fault could have put there. */
export const isOwnedIn = ({ id, owner_id }: Pick<KeeperRow, 'id' | 'owner_id'>, table?: string) =>
  sql<SqlBool>`${isActiveIn(id, table)} and ${sql.ref(table ? `${table}.owner_id` : 'owner_id')} = ${owner_id}`

const firstAlias = '1'
const newestAlias = 'new-keeper-id'

const findOwnKeeper = prepareQuery<{ ownerId: string; id: string }>()((db, { ownerId, id }) =>
  selectOwnKeepers(db, ownerId).where('id', '=', id),
)

/** The aliases mean the sample keeper only if there is no other. @throws Problem 404 */
export async function requireKeeperFor({ db }: Services, person: Owner, id: string): Promise<KeeperRow> {
  const row =
    id === firstAlias || id === newestAlias
      ? await findByAlias(db, person, id === newestAlias ? 'desc' : 'asc')
      : await findOwnKeeper.first(db, { ownerId: person.id, id })
  if (!row) throw createKeeperNotFound()
  const allowedIds = person.connection?.keeperIds
  if (allowedIds && !allowedIds.includes(row.id))
    throw new Problem('scope-missing', { message: 'This access token can’t use this keeper.' })
  return row
}

const findByAlias = (db: Database, person: Owner, direction: 'asc' | 'desc') =>
  selectOwnKeepers(db, person.id)
    .orderBy(sql`case when id = ${getSampleKeeperId(person.id)} then 1 else 0 end`)
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(1)
    .executeTakeFirst()

export const selectOwnKeepers = (db: Database, ownerId: string) =>
  db.selectFrom('keepers').selectAll().where('owner_id', '=', ownerId).where('deleted_at', 'is', null)

/** Some clients repeat the keeper id in the body. @throws Problem 400 when it differs */
export async function requireMatchingKeeper(
  services: Services,
  person: Owner,
  id: string,
  bodyKeeperId: string | undefined,
): Promise<KeeperRow> {
  const keeper = await requireKeeperFor(services, person, id)
  if (bodyKeeperId !== undefined && bodyKeeperId !== id && bodyKeeperId !== keeper.id) {
    const message = 'The body and the address name different keepers. Send the same keeper, or omit it from the body.'
    throw new Problem('bad-input', { message, fields: { keeperId: message } })
  }
  return keeper
}

export function createKeeperNotFound(): Problem {
  return new Problem('not-found', { message: 'Keeper not found' })
}
