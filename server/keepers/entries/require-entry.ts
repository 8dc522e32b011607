import { entityNames } from '#contract/keepers/entity-names.ts'
import type { Person } from '#server/accounts/person.ts'
import { prepareQuery } from '#server/db/database.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { type EntryEntity, type EntryRow, mapEntryTables } from './entry-tables.ts'

/** An undeleted entry of this person in an undeleted keeper. @throws Problem 404 */
export async function requireEntryFor<E extends EntryEntity>(
  services: Services,
  person: Pick<Person, 'id'>,
  entity: E,
  id: string,
): Promise<EntryRow<E>> {
  const row = await findEntryFor(services, person, entity, id)
  if (!row) throw new Problem('not-found', { message: `${entityNames[entity]} not found` })
  return row
}

export async function findEntryFor<E extends EntryEntity>(
  { db }: Services,
  person: Pick<Person, 'id'>,
  entity: E,
  id: string,
): Promise<EntryRow<E> | undefined> {
  return (await entryQueries[entity].first(db, { ownerId: person.id, id })) as EntryRow<E> | undefined
}

/** @throws Problem 400 at `field` for an id of an entry that is deleted or in another keeper */
export async function requireEntryInKeeper(
  services: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  entity: EntryEntity,
  id: string | null | undefined,
  field: string,
  message = `Choose a ${entityNames[entity].toLowerCase()} in this keeper.`,
): Promise<void> {
  if (!id) return
  const row = await findEntryFor(services, { id: keeper.owner_id }, entity, id)
  if (row?.keeper_id !== keeper.id) throw badField(field, message)
}

const entryQueries = mapEntryTables((table) =>
  prepareQuery<{ ownerId: string; id: string }>()((db, { ownerId, id }) =>
    db
      .selectFrom(table)
      .innerJoin('keepers', 'keepers.id', `${table}.keeper_id`)
      .selectAll(table)
      .where(`${table}.id`, '=', id)
      .where(`${table}.owner_id`, '=', ownerId)
      .where(`${table}.deleted_at`, 'is', null)
      .where('keepers.deleted_at', 'is', null),
  ),
)
