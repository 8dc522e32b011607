import type { Database, Write } from './database.ts'

/** Callers put this limit into their write. */
export const batchSize = 500

/** Repeats a write that changes at most `batchSize` rows until none are left. */
export async function writeInBatches(db: Database, write: Write): Promise<void> {
  let changes = batchSize
  while (changes === batchSize) ({ changes } = await db.write(write))
}
