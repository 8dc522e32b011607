import type { Insertable } from 'kysely'
import { preparedInsert, type Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { idTaken } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { type EntryEntity, type EntryRow, type EntryTable, entryTables, mapEntryTables } from './entry-tables.ts'
import { publishKeeperChanged } from './publish-keeper-changed.ts'

type GeneratedColumns = 'id' | 'keeper_id' | 'owner_id' | 'created_at' | 'updated_at' | 'deleted_at' | 'rev'

export interface EntryCreation<E extends EntryEntity> {
  entity: E
  id: string | undefined
  /** Milliseconds; defaults to now. */
  createdAt?: number
  /** Every column, since the answer is made from them. */
  values: Required<Omit<Insertable<Schema[EntryTable<E>]>, GeneratedColumns>>
  extraWrites?(id: string): Write[]
}

/** Idempotent by client id: a repeated request returns the existing entry. @throws Problem 409 for an id in use */
export async function createEntry<E extends EntryEntity>(
  services: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  creation: EntryCreation<E>,
): Promise<EntryRow<E>> {
  return (await insertEntry(services, keeper, creation)).row
}

/** As {@link createEntry}. JSON columns of a new row are text. */
export async function insertEntry<E extends EntryEntity>(
  services: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  creation: EntryCreation<E>,
): Promise<{ row: EntryRow<E>; isNew: boolean }> {
  const { db } = services
  const now = services.now().getTime()
  const id = creation.id ?? services.newId()
  const row = {
    ...creation.values,
    id,
    keeper_id: keeper.id,
    owner_id: keeper.owner_id,
    created_at: Math.min(creation.createdAt ?? now, now),
    updated_at: now,
    deleted_at: null,
    rev: 1,
  }
  try {
    await db.batch([insertQueries[creation.entity].with(db, row as never), ...(creation.extraWrites?.(id) ?? [])])
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const existing = await db
      .selectFrom(entryTables[creation.entity] as 'reflections')
      .selectAll()
      .where('id', '=', id)
      .where('owner_id', '=', keeper.owner_id)
      .where('keeper_id', '=', keeper.id)
      .executeTakeFirst()
    if (existing) return { row: existing as EntryRow<E>, isNew: false }
    throw creation.id === undefined ? error : idTaken()
  }
  publishKeeperChanged(services, keeper.owner_id, keeper.id, creation.entity)
  return { row: row as unknown as EntryRow<E>, isNew: true }
}

const insertQueries = mapEntryTables((table) => preparedInsert(table))
