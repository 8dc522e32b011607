import { type Expression, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { batchSize, writeInBatches } from '#server/db/write-in-batches.ts'

const maxCascadedRows = batchSize

/** Large tables: a keeper can have tens of thousands of these rows. Dependent rows are deleted by cascade. */
const cascadedTables = ['memory_reads', 'entry_history', 'memory_cards', 'moments', 'reflections', 'sources'] as const

/** @param keeperIdQuery selects nothing once the keeper was restored; evaluated in each write */
export async function deleteKeeperRows(db: Database, keeperIdQuery: () => Expression<unknown>): Promise<void> {
  for (const table of cascadedTables) {
    const batch = sql`select id from ${sql.table(table)} where keeper_id in (${keeperIdQuery()}) limit ${batchSize} offset ${maxCascadedRows}`
    await writeInBatches(db, sql`delete from ${sql.table(table)} where id in (${batch})`)
  }
}
