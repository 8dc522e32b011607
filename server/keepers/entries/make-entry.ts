import type { Insertable } from 'kysely'
import type { Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { idTaken } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { type EntryEntity, type EntryRow, type EntryTable, entryTables } from './entry-tables.ts'
import { tellKeeperChanged } from './tell-keeper-changed.ts'

type Written = 'id' | 'keeper_id' | 'owner_id' | 'created_at' | 'updated_at' | 'deleted_at' | 'rev'

export interface Making<E extends EntryEntity> {
  entity: E
  /** A client-generated id makes a retry idempotent. */
  id: string | undefined
  /** Milliseconds; defaults to now. */
  createdAt?: number
  values: Omit<Insertable<Schema[EntryTable<E>]>, Written>
  /** Writes in the same transaction. */
  along?(id: string): Write[]
}

/** Idempotent by client id: a repeated request returns the existing entry. @throws Problem 409 for an id in use */
export async function makeEntry<E extends EntryEntity>(
  services: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  making: Making<E>,
): Promise<EntryRow<E>> {
  const { db } = services
  const now = services.now().getTime()
  const id = making.id ?? services.newId()
  const table = entryTables[making.entity] as 'reflections'
  const row = {
    ...making.values,
    id,
    keeper_id: keeper.id,
    owner_id: keeper.owner_id,
    created_at: Math.min(making.createdAt ?? now, now),
    updated_at: now,
    deleted_at: null,
  } as Insertable<Schema['reflections']>
  let taken: UniqueViolation | undefined
  try {
    await db.batch([db.insertInto(table).values(row), ...(making.along?.(id) ?? [])])
    tellKeeperChanged(services, keeper.owner_id, keeper.id, making.entity)
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    taken = error
  }
  const made = await db
    .selectFrom(table)
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', keeper.owner_id)
    .where('keeper_id', '=', keeper.id)
    .executeTakeFirst()
  if (!made && making.id === undefined && taken) throw taken
  if (!made) throw idTaken()
  return made as EntryRow<E>
}
