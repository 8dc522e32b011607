import type { Insertable } from 'kysely'
import { prepareInsert, type Write } from '#server/db/database.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { createIdTakenProblem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { type EntryEntity, type EntryRow, type EntryTable, getEntryTable, mapEntryTables } from './entry-tables.ts'
import { publishKeeperChanged } from './publish-keeper-changed.ts'
import { noSideEffects, type SideEffects } from './save-entry.ts'

type GeneratedColumns = 'id' | 'keeper_id' | 'owner_id' | 'created_at' | 'updated_at' | 'deleted_at' | 'rev'

export type NewEntryRow = Pick<EntryRow<EntryEntity>, 'id' | 'keeper_id' | 'owner_id' | 'created_at'>

export interface EntryCreation<E extends EntryEntity> {
  entity: E
  id: string | undefined
  /** An ISO time; a missing or future one becomes the current time. */
  createdAt?: string | undefined
  /** Every column, because the response is built from them. */
  values: Required<Omit<Insertable<Schema[EntryTable<E>]>, GeneratedColumns>>
  extraWrites?(id: string): Write[]
  sideEffects?(row: NewEntryRow): SideEffects | Promise<SideEffects>
}

/** For entries that were written in Keeper. */
export const noSource = { source_kind: null, source_id: null }

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
    created_at: creation.createdAt === undefined ? now : Math.min(Date.parse(creation.createdAt), now),
    updated_at: now,
    deleted_at: null,
    rev: 1,
  }
  const { writes, notify } = (await creation.sideEffects?.(row)) ?? noSideEffects
  try {
    const insert = insertQueries[creation.entity].bind(db, row as never)
    await db.batch([insert, ...(creation.extraWrites?.(id) ?? []), ...writes])
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const existing = await db
      .selectFrom(getEntryTable(creation.entity))
      .selectAll()
      .where('id', '=', id)
      .where('owner_id', '=', keeper.owner_id)
      .where('keeper_id', '=', keeper.id)
      .executeTakeFirst()
    if (existing) return { row: existing as EntryRow<E>, isNew: false }
    throw creation.id === undefined ? error : createIdTakenProblem()
  }
  publishKeeperChanged(services, keeper.owner_id, keeper.id, creation.entity)
  notify()
  return { row: row as unknown as EntryRow<E>, isNew: true }
}

const insertQueries = mapEntryTables((table) => prepareInsert(table))
