import { type Expression, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { batchSize, writeInBatches } from '#server/db/write-in-batches.ts'

/** Rows of one table that are deleted together with the keeper. */
const maxCascadedRows = batchSize

/** Large tables: a keeper can have tens of thousands of these rows. Dependent rows are deleted by cascade. */
const tables = ['memory_reads', 'entry_history', 'memory_cards', 'moments', 'reflections'] as const

/**
 * Deletes most rows of a keeper in batches, before the keeper itself cascades to the others.
 * @param keeperIdQuery selects its id, or nothing once it was restored; evaluated in each write
 */
export async function deleteKeeperRows(db: Database, keeperIdQuery: () => Expression<unknown>): Promise<void> {
  for (const table of tables) {
    const batch = sql`select id from ${sql.table(table)} where keeper_id in (${keeperIdQuery()}) limit ${batchSize} offset ${maxCascadedRows}`
    await writeInBatches(db, sql`delete from ${sql.table(table)} where id in (${batch})`)
  }
}
