import type { Insertable } from 'kysely'
import type { Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { idTaken } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { type EntryEntity, type EntryRow, type EntryTable, entryTables } from './entry-tables.ts'
import { publishKeeperChanged } from './publish-keeper-changed.ts'

type GeneratedColumns = 'id' | 'keeper_id' | 'owner_id' | 'created_at' | 'updated_at' | 'deleted_at' | 'rev'

export interface EntryCreation<E extends EntryEntity> {
  entity: E
  id: string | undefined
  /** Milliseconds; defaults to now. */
  createdAt?: number
  values: Omit<Insertable<Schema[EntryTable<E>]>, GeneratedColumns>
  extraWrites?(id: string): Write[]
}

/** Idempotent by client id: a repeated request returns the existing entry. @throws Problem 409 for an id in use */
export async function createEntry<E extends EntryEntity>(
  services: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  creation: EntryCreation<E>,
): Promise<EntryRow<E>> {
  const { db } = services
  const now = services.now().getTime()
  const id = creation.id ?? services.newId()
  const table = entryTables[creation.entity] as 'reflections'
  const row = {
    ...creation.values,
    id,
    keeper_id: keeper.id,
    owner_id: keeper.owner_id,
    created_at: Math.min(creation.createdAt ?? now, now),
    updated_at: now,
    deleted_at: null,
  } as Insertable<Schema['reflections']>
  let conflict: UniqueViolation | undefined
  try {
    await db.batch([db.insertInto(table).values(row), ...(creation.extraWrites?.(id) ?? [])])
    publishKeeperChanged(services, keeper.owner_id, keeper.id, creation.entity)
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    conflict = error
  }
  const created = await db
    .selectFrom(table)
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', keeper.owner_id)
    .where('keeper_id', '=', keeper.id)
    .executeTakeFirst()
  if (!created && creation.id === undefined && conflict) throw conflict
  if (!created) throw idTaken()
  return created as EntryRow<E>
}
