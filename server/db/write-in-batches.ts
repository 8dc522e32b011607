import type { Database, Write } from './database.ts'

export const batchSize = 500

export async function writeInBatches(db: Database, write: Write): Promise<void> {
  let changes = batchSize
  while (changes === batchSize) ({ changes } = await db.write(write))
}
