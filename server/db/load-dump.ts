import type { DatabaseSync } from 'node:sqlite'
import type { PoolClient } from 'pg'
import type { DumpEntry, DumpTable, DumpType, DumpValue } from './canonical-dump.ts'
import { listTableNames } from './postgres-dump.ts'
import { formatIdentifierList, quoteIdentifier } from './sqlite-dump.ts'

/** Max parameters of one INSERT; PostgreSQL accepts 65,535. */
const maxParameters = 5_000
const maxBatchLength = 8 * 1024 * 1024

export async function loadIntoSqlite(connection: DatabaseSync, entries: AsyncIterable<DumpEntry>): Promise<void> {
  // Tables come by name, so rows can precede the rows they reference.
  connection.exec('pragma foreign_keys = off')
  connection.exec('begin immediate')
  let insert: ((row: DumpValue[]) => void) | undefined
  for await (const entry of entries) {
    if ('table' in entry) insert = createSqliteInsert(connection, entry.table)
    else insert?.(entry.row)
  }
  const brokenRows = connection.prepare('pragma foreign_key_check').all()
  if (brokenRows.length > 0)
    throw new Error(
      `The backup has ${brokenRows.length} rows in ${String(brokenRows[0]!.table)} that reference missing rows`,
    )
  connection.exec('commit')
}

function createSqliteInsert(connection: DatabaseSync, { name, columns }: DumpTable): (row: DumpValue[]) => void {
  connection.exec(`delete from ${quoteIdentifier(name)}`)
  const placeholders = columns.map(() => '?').join(', ')
  const statement = connection.prepare(
    `insert into ${quoteIdentifier(name)} (${formatIdentifierList(columns.map((column) => column.name))}) values (${placeholders})`,
  )
  return (row) => {
    const values = row.map((value, index) => toBoundValue(value, columns[index]!.type))
    statement.run(...values.map((value) => (typeof value === 'boolean' ? Number(value) : value)))
  }
}

export async function loadIntoPostgres(client: PoolClient, entries: AsyncIterable<DumpEntry>): Promise<void> {
  const restoreForeignKeys = await dropForeignKeys(client)
  let table: DumpTable | undefined
  let pendingRows: unknown[][] = []
  let batchLength = 0
  const flush = async () => {
    if (table && pendingRows.length > 0) await insertRows(client, table, pendingRows)
    pendingRows = []
    batchLength = 0
  }
  for await (const entry of entries) {
    if ('table' in entry) {
      await flush()
      table = entry.table
      await client.query(`delete from ${quoteIdentifier(table.name)}`)
    } else if (table) {
      const { columns } = table
      const values = entry.row.map((value, index) => toBoundValue(value, columns[index]!.type))
      pendingRows.push(values)
      batchLength += getTotalLength(values)
      if (pendingRows.length * columns.length >= maxParameters || batchLength >= maxBatchLength) await flush()
    }
  }
  await flush()
  await restoreForeignKeys()
}

async function insertRows(client: PoolClient, { name, columns }: DumpTable, rows: unknown[][]): Promise<void> {
  let parameterNumber = 0
  const placeholders = rows.map((row) => `(${row.map(() => `$${++parameterNumber}`).join(', ')})`).join(', ')
  await client.query(
    `insert into ${quoteIdentifier(name)} (${formatIdentifierList(columns.map((column) => column.name))}) values ${placeholders}`,
    rows.flat(),
  )
}

async function dropForeignKeys(client: PoolClient): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as "table", conname::text as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  )
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${quoteIdentifier(name)}`)
  return async () => {
    for (const { table, name, definition } of rows)
      await client.query(`alter table ${table} add constraint ${quoteIdentifier(name)} ${definition}`)
  }
}

export async function dropTables(client: PoolClient): Promise<void> {
  const names = await listTableNames(client)
  if (names.length > 0) await client.query(`drop table ${formatIdentifierList(names)} cascade`)
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc p where pronamespace = current_schema()::regnamespace and prokind = 'f'
     and not exists (select 1 from pg_depend where objid = p.oid and classid = 'pg_proc'::regclass and deptype = 'e')`,
  )
  for (const { name } of rows) await client.query(`drop function ${name}`)
}

function getTotalLength(values: readonly (DumpValue | Buffer)[]): number {
  return values.reduce<number>((total, value) => total + (hasLength(value) ? value.length : 0), 0)
}

const hasLength = (value: DumpValue | Buffer) => typeof value === 'string' || Buffer.isBuffer(value)

function toBoundValue(value: DumpValue, type: DumpType): DumpValue | Buffer {
  return type === 'bytes' && value !== null ? Buffer.from(String(value), 'base64') : value
}
