import type { Database, Write } from './database.ts'

/** So many rows in one write: others write too. */
export const rowsAtOnce = 500

/** Makes a write over and over until it changes fewer than {@link rowsAtOnce} rows, which it has to be limited to. */
export async function writeInBatches(db: Database, write: Write): Promise<void> {
  let changes = rowsAtOnce
  while (changes === rowsAtOnce) ({ changes } = await db.write(write))
}
