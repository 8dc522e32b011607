import { sql } from 'kysely'
import type { Database } from './database.ts'

/** A unique name of this installation, from the time its tables were created. A restored installation gets a new one. */
export async function getInstallationName(db: Database): Promise<string> {
  const [first] = await db.longRead(sql<{ made_at: number }>`select min(applied_at) as made_at from keeper_migrations`)
  return `Keeper of ${new Date(first?.made_at ?? 0).toISOString()}`
}
