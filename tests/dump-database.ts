import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { waitForImports } from '#server/keepers/transfer/execute-import.ts'
import { listTables, type TableColumn } from './every-table.ts'

const queriesByDatabase = new WeakMap<Database, Promise<TableQuery[]>>()

interface TableQuery {
  table: string
  /** Rows as JSON text. */
  rows: RawBuilder<{ table: string; line: string }>
}

/** Read from the database itself, so that no table is forgotten. */
function getTableQueries(db: Database): Promise<TableQuery[]> {
  const queries =
    queriesByDatabase.get(db) ??
    listTables(db).then((tables) =>
      [...tables].map(([table, columns]) => ({
        table,
        rows: db.engine === 'sqlite' ? selectSqliteRows(table, columns) : selectPostgresRows(table),
      })),
    )
  queriesByDatabase.set(db, queries)
  return queries
}

function selectSqliteRows(table: string, columns: TableColumn[]): TableQuery['rows'] {
  const fields = columns.flatMap(({ name, type }) => {
    const value = sql.ref(name)
    const kind = type.toLowerCase()
    if (kind === 'blob') return [sql.lit(name), sql`quote(${value})`]
    return [sql.lit(name), kind.startsWith('json') ? sql`json(${value})` : value]
  })
  return sql`select ${sql.lit(table)} as "table", json_object(${sql.join(fields)}) as line from ${sql.table(table)}`
}

function selectPostgresRows(table: string): TableQuery['rows'] {
  return sql`select ${table}::text as "table", row_to_json(t)::text as line from ${sql.table(table)} t`
}

/** Every row of every table in a stable order: equal content gives equal text. */
export async function dumpDatabase(db: Database, except: (keyof Schema)[] = []): Promise<string> {
  const tableQueries = (await getTableQueries(db)).filter(({ table }) => !(except as string[]).includes(table))
  // Imports continue after their response.
  await waitForImports()
  // One statement saves a hundred round trips.
  const rows = await db.longRead<{ table: string; line: string }>(
    sql.join(
      tableQueries.map((query) => query.rows),
      sql` union all `,
    ),
  )
  const lines = Map.groupBy(rows, ({ table }) => table)
  return tableQueries
    .flatMap(({ table }) => [`# ${table}`, ...(lines.get(table) ?? []).map(({ line }) => line).sort()])
    .join('\n')
}

/** Changes with each commit in SQLite; `null` on PostgreSQL, which has no such counter for one database. */
export async function readDataVersion(db: Database): Promise<number | null> {
  if (db.engine !== 'sqlite') return null
  const { rows } = await sql<{ data_version: number }>`pragma data_version`.execute(db)
  return rows[0]?.data_version ?? null
}

export async function computeDatabaseHash(db: Database, except: (keyof Schema)[] = []): Promise<string> {
  return createHash('sha256')
    .update(await dumpDatabase(db, except))
    .digest('hex')
}

export async function countRows(db: Database, table: keyof Schema): Promise<number> {
  const [row] = await db.longRead<{ count: number }>(sql`select count(*) as count from ${sql.table(table)}`)
  return Number(row?.count)
}
