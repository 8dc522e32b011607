import type { DatabaseSync } from 'node:sqlite'
import { type DumpSource, type DumpTable, dumpType, migrationsTable } from './canonical-dump.ts'

export function sqliteDump(connection: DatabaseSync): DumpSource & { close(): void } {
  connection.exec('begin')
  return {
    // Virtual tables and their shadow tables are search indexes, maintained by triggers.
    tables: async () =>
      connection
        .prepare(
          `select name from pragma_table_list where schema = 'main' and type = 'table' and substr(name, 1, 7) <> 'sqlite_' and name <> ? order by name`,
        )
        .all(migrationsTable)
        .map(({ name }) => readTable(connection, String(name))),
    rows: (table) => readTableRows(connection, table),
    close: () => connection.exec('rollback'),
  }
}

function readTable(connection: DatabaseSync, name: string): DumpTable {
  const columns = connection
    .prepare('select name, type from pragma_table_xinfo(?) where hidden = 0 order by name')
    .all(name)
  return {
    name,
    columns: columns.flatMap((column) => {
      const type = dumpType(name, String(column.name), String(column.type))
      return type ? [{ name: String(column.name), type }] : []
    }),
  }
}

function* readTableRows(connection: DatabaseSync, { name, columns }: DumpTable): Generator<unknown[]> {
  const key = connection
    .prepare('select name from pragma_table_xinfo(?) where pk > 0 order by pk')
    .all(name)
    .map(({ name }) => String(name))
  const order = key.length > 0 ? key : columns.map(({ name }) => name)
  const statement = connection.prepare(
    `select ${list(columns.map(({ name }) => name))} from ${quoted(name)} order by ${order.map((column) => `${quoted(column)} nulls first`).join(', ')}`,
  )
  statement.setReturnArrays(true)
  yield* statement.iterate() as Iterable<unknown> as Iterable<unknown[]>
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function list(names: readonly string[]): string {
  return names.map(quoted).join(', ')
}
