import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { importsAreOver } from '#server/keepers/transfer/carry-out-import.ts'
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
  const tables = (await tablesIn(db)).filter((name) => !(except as string[]).includes(name))
  // They go on after their answer.
  await importsAreOver()
  const lines = db.engine === 'sqlite' ? await oneByOne(db, tables) : await inOneStatement(db, tables)
  return tables.flatMap((table) => [`# ${table}`, ...(lines.get(table) ?? []).sort()]).join('\n')
}

async function oneByOne(db: Database, tables: string[]): Promise<Map<string, string[]>> {
  const lines = new Map<string, string[]>()
  for (const table of tables) {
    const rows = await db.longRead<Record<string, unknown>>(sql`select * from ${sql.table(table)}`)
    lines.set(
      table,
      rows.map((row) => JSON.stringify(row)),
    )
  }
  return lines
}

/** A hundred round trips less. */
async function inOneStatement(db: Database, tables: string[]): Promise<Map<string, string[]>> {
  const each = tables.map(
    (table) => sql`select ${table}::text as "table", row_to_json(t)::text as line from ${sql.table(table)} t`,
  )
  const rows = await db.longRead<{ table: string; line: string }>(sql.join(each, sql` union all `))
  const lines = new Map<string, string[]>()
  for (const { table, line } of rows) {
    const already = lines.get(table)
    if (already) already.push(line)
    else lines.set(table, [line])
  }
  return lines
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
