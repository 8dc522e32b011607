import { type Expression, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { rowsAtOnce, writeInBatches } from '#server/db/write-in-batches.ts'

/** Rows of a table that go with the keeper itself. */
const mayGoWithIt = rowsAtOnce

/** Of which a keeper may have tens of thousands. What hangs on a row goes with it. */
const tables = ['memory_reads', 'entry_history', 'memory_cards', 'moments', 'reflections'] as const

/**
 * Deletes what is much in a keeper a few rows at a time, before the keeper itself goes and takes the rest along; one that
 * holds little goes in one write.
 * `keeper`: its id, or nothing where it is to stay after all; asked in each write.
 */
export async function deleteRowsOfKeeper(db: Database, keeper: () => Expression<unknown>): Promise<void> {
  for (const table of tables) {
    const some = sql`select id from ${sql.table(table)} where keeper_id in (${keeper()}) limit ${rowsAtOnce} offset ${mayGoWithIt}`
    await writeInBatches(db, sql`delete from ${sql.table(table)} where id in (${some})`)
  }
}
