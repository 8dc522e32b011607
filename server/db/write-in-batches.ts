import type { Database, Write } from './database.ts'

/** Rows per write, so that other writers get a turn. */
export const batchSize = 500

/** Repeats a write until it changes fewer than {@link batchSize} rows, its required limit. */
export async function writeInBatches(db: Database, write: Write): Promise<void> {
  let changes = batchSize
  while (changes === batchSize) ({ changes } = await db.write(write))
}
