import type { PoolClient } from 'pg'
import { type DumpSource, type DumpTable, type DumpType, dumpType, migrationsTable } from './canonical-dump.ts'
import { quoted } from './sqlite-dump.ts'

const getPageSize = (columns: DumpTable['columns']) =>
  columns.some(({ type }) => type === 'json' || type === 'bytes') ? 16 : 250

/** A consistent snapshot; the connection must not be used for anything else until `close`. */
export async function createPostgresDump(client: PoolClient): Promise<DumpSource & { close(): Promise<void> }> {
  await client.query('begin isolation level repeatable read read only')
  return {
    tables: async () =>
      Promise.all(
        (await listTableNames(client))
          .filter((name) => name !== migrationsTable)
          .map((name) => readTable(client, name)),
      ),
    rows: (table) => readTableRows(client, table),
    async close() {
      await client.query('rollback')
    },
  }
}

export async function listTableNames(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace order by relname::text collate "C"`,
  )
  return rows.map(({ name }) => name)
}

async function readTable(client: PoolClient, name: string): Promise<DumpTable> {
  const { rows } = await client.query<{ column: string; type: string }>(
    `select attname::text as column, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attname::text collate "C"`,
    [quoted(name)],
  )
  return {
    name,
    columns: rows.flatMap(({ column, type: declared }) => {
      const type = dumpType(name, column, declared)
      return type ? [{ name: column, type }] : []
    }),
  }
}

async function* readTableRows(client: PoolClient, { name, columns }: DumpTable): AsyncGenerator<unknown[]> {
  const { rows: key } = await client.query<{ column: string }>(
    `select attname::text as column from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
     where indrelid = $1::regclass and indisprimary order by array_position(indkey::int2[], attnum)`,
    [quoted(name)],
  )
  const order = columns.filter((column) => key.length === 0 || key.some((part) => part.column === column.name))
  if (key.length > 0) order.sort((one, other) => getKeyPosition(one.name) - getKeyPosition(other.name))
  function getKeyPosition(column: string): number {
    return key.findIndex((part) => part.column === column)
  }
  await client.query(
    `declare dump no scroll cursor for select ${columns.map(toSelectExpression).join(', ')} from ${quoted(name)} order by ${order.map(toOrderClause).join(', ')}`,
  )
  for (;;) {
    const { rows } = await client.query<unknown[]>({
      text: `fetch ${getPageSize(columns)} from dump`,
      rowMode: 'array',
    })
    if (rows.length === 0) break
    yield* rows
  }
  await client.query('close dump')
}

// As text, because parsed JSON null looks like no value.
function toSelectExpression({ name, type }: { name: string; type: DumpType }): string {
  return type === 'json' ? `${quoted(name)}::text` : quoted(name)
}

function toOrderClause({ name, type }: { name: string; type: DumpType }): string {
  if (type === 'text') return `${quoted(name)} collate "C" nulls first`
  return type === 'json' ? `${quoted(name)}::text collate "C" nulls first` : `${quoted(name)} nulls first`
}
