import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { everyTable } from './every-table.ts'

const tablesOf = new WeakMap<Database, Promise<string[]>>()

/** As the database says itself: nobody can forget to add one. */
function tablesIn(db: Database): Promise<string[]> {
  const known = tablesOf.get(db) ?? everyTable(db).then((tables) => [...tables.keys()])
  tablesOf.set(db, known)
  return known
}

/** Every row of every table, in an order of its own: the same text for the same content. */
export async function wholeDatabase(db: Database, except: (keyof Schema)[] = []): Promise<string> {
  const parts: string[] = []
  for (const table of (await tablesIn(db)).filter((name) => !(except as string[]).includes(name))) {
    const rows = await db.longRead<Record<string, unknown>>(sql`select * from ${sql.table(table)}`)
    parts.push(`# ${table}`, ...rows.map((row) => JSON.stringify(row)).sort())
  }
  return parts.join('\n')
}

export async function databaseHash(db: Database, except: (keyof Schema)[] = []): Promise<string> {
  return createHash('sha256')
    .update(await wholeDatabase(db, except))
    .digest('hex')
}

/** How many rows a table has. */
export async function rowCount(db: Database, table: keyof Schema): Promise<number> {
  const [row] = await db.longRead<{ count: number }>(sql`select count(*) as count from ${sql.table(table)}`)
  return Number(row?.count)
}
