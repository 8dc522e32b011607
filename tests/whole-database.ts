import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { importsAreOver } from '#server/keepers/transfer/carry-out-import.ts'
import { type Column, everyTable } from './every-table.ts'

const readings = new WeakMap<Database, Promise<Reading[]>>()

interface Reading {
  table: string
  /** Rows as JSON text. */
  rows: RawBuilder<{ table: string; line: string }>
}

/** Read from the database itself, so that no table is forgotten. */
function readingsOf(db: Database): Promise<Reading[]> {
  const known =
    readings.get(db) ??
    everyTable(db).then((tables) =>
      [...tables].map(([table, columns]) => ({
        table,
        rows: db.engine === 'sqlite' ? rowsInSqlite(table, columns) : rowsInPostgres(table),
      })),
    )
  readings.set(db, known)
  return known
}

function rowsInSqlite(table: string, columns: Column[]): Reading['rows'] {
  const fields = columns.flatMap(({ name, type }) => {
    const value = sql.ref(name)
    const kind = type.toLowerCase()
    return [
      sql.lit(name),
      kind === 'blob' ? sql`quote(${value})` : kind.startsWith('json') ? sql`json(${value})` : value,
    ]
  })
  return sql`select ${sql.lit(table)} as "table", json_object(${sql.join(fields)}) as line from ${sql.table(table)}`
}

function rowsInPostgres(table: string): Reading['rows'] {
  return sql`select ${table}::text as "table", row_to_json(t)::text as line from ${sql.table(table)} t`
}

/** Every row of every table in a stable order: equal content gives equal text. */
export async function wholeDatabase(db: Database, except: (keyof Schema)[] = []): Promise<string> {
  const wanted = (await readingsOf(db)).filter(({ table }) => !(except as string[]).includes(table))
  // Imports continue after their response.
  await importsAreOver()
  // One statement saves a hundred round trips.
  const rows = await db.longRead<{ table: string; line: string }>(
    sql.join(
      wanted.map((each) => each.rows),
      sql` union all `,
    ),
  )
  const lines = Map.groupBy(rows, ({ table }) => table)
  return wanted
    .flatMap(({ table }) => [`# ${table}`, ...(lines.get(table) ?? []).map(({ line }) => line).sort()])
    .join('\n')
}

export async function databaseHash(db: Database, except: (keyof Schema)[] = []): Promise<string> {
  return createHash('sha256')
    .update(await wholeDatabase(db, except))
    .digest('hex')
}

export async function rowCount(db: Database, table: keyof Schema): Promise<number> {
  const [row] = await db.longRead<{ count: number }>(sql`select count(*) as count from ${sql.table(table)}`)
  return Number(row?.count)
}
