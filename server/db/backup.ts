import type { Database } from './database.ts'
export async function backupBeforeMigration(
  _db: Database,
  _dataDir: string,
  _name: string,
  _now: Date,
): Promise<string> {
  throw new Error('not there yet')
}
