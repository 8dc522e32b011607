import type { PoolClient } from 'pg'
import { type DumpSource, type DumpTable, type DumpType, isDumped, toDumpTable } from './canonical-dump.ts'
import { quoteIdentifier } from './sqlite-dump.ts'

const getPageSize = (columns: DumpTable['columns']) =>
  columns.some(({ type }) => type === 'json' || type === 'bytes') ? 16 : 250

/** A consistent snapshot; the connection must not be used for anything else until `close`. */
export async function createPostgresDump(client: PoolClient): Promise<DumpSource & { close(): Promise<void> }> {
  await client.query('begin isolation level repeatable read read only')
  return {
    listTables: async () =>
      Promise.all((await listTableNames(client)).filter(isDumped).map((name) => readTable(client, name))),
    readRows: (table) => readTableRows(client, table),
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
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname::text as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attname::text collate "C"`,
    [quoteIdentifier(name)],
  )
  return toDumpTable(name, rows)
}

async function* readTableRows(client: PoolClient, { name, columns }: DumpTable): AsyncGenerator<unknown[]> {
  const { rows: keyColumns } = await client.query<{ column: string }>(
    `select attname::text as column from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
     where indrelid = $1::regclass and indisprimary order by array_position(indkey::int2[], attnum)`,
    [quoteIdentifier(name)],
  )
  const keys = keyColumns.flatMap(({ column }) => columns.find((candidate) => candidate.name === column) ?? [])
  const orderColumns = keyColumns.length > 0 ? keys : columns
  await client.query(
    `declare dump no scroll cursor for select ${columns.map(toSelectExpression).join(', ')} from ${quoteIdentifier(name)} order by ${orderColumns.map(toOrderClause).join(', ')}`,
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

// As text, because a parsed JSON null can't be told apart from SQL NULL.
function toSelectExpression({ name, type }: { name: string; type: DumpType }): string {
  return type === 'json' ? `${quoteIdentifier(name)}::text` : quoteIdentifier(name)
}

function toOrderClause({ name, type }: { name: string; type: DumpType }): string {
  if (type === 'text') return `${quoteIdentifier(name)} collate "C" nulls first`
  return type === 'json'
    ? `${quoteIdentifier(name)}::text collate "C" nulls first`
    : `${quoteIdentifier(name)} nulls first`
}
