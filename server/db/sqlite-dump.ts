import type { DatabaseSync } from 'node:sqlite'
import { type DumpSource, type DumpTable, isDumped, migrationsTable, toDumpTable } from './canonical-dump.ts'
import type { AppliedMigration } from './migrate.ts'

export function createSqliteDump(connection: DatabaseSync): DumpSource & { close(): void } {
  connection.exec('begin')
  return {
    // Virtual tables and their shadow tables are search indexes, maintained by triggers.
    listTables: async () =>
      connection
        .prepare(
          `select name from pragma_table_list where schema = 'main' and type = 'table' and substr(name, 1, 7) <> 'sqlite_' order by name`,
        )
        .all()
        .map(({ name }) => String(name))
        .filter(isDumped)
        .map((name) => readTable(connection, name)),
    readRows: (table) => readTableRows(connection, table),
    close: () => connection.exec('rollback'),
  }
}

function readTable(connection: DatabaseSync, name: string): DumpTable {
  const columns = connection
    .prepare('select name, type from pragma_table_xinfo(?) where hidden = 0 order by name')
    .all(name)
  return toDumpTable(name, columns as unknown as { name: string; type: string }[])
}

function* readTableRows(connection: DatabaseSync, { name, columns }: DumpTable): Generator<unknown[]> {
  const keyColumns = connection
    .prepare('select name from pragma_table_xinfo(?) where pk > 0 order by pk')
    .all(name)
    .map(({ name }) => String(name))
  const orderColumns = keyColumns.length > 0 ? keyColumns : columns.map(({ name }) => name)
  const statement = connection.prepare(
    `select ${formatIdentifierList(columns.map(({ name }) => name))} from ${quoteIdentifier(name)} order by ${orderColumns.map((column) => `${quoteIdentifier(column)} nulls first`).join(', ')}`,
  )
  statement.setReturnArrays(true)
  yield* statement.iterate() as Iterable<unknown> as Iterable<unknown[]>
}

export function listAppliedMigrations(connection: DatabaseSync): AppliedMigration[] {
  const migrations = connection.prepare(`select name, checksum from ${migrationsTable} order by name`).all()
  return migrations as unknown as AppliedMigration[]
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function formatIdentifierList(names: readonly string[]): string {
  return names.map(quoteIdentifier).join(', ')
}
