import { compareStrings } from '#contract/compare-strings.ts'

export type DumpType = 'text' | 'integer' | 'real' | 'boolean' | 'json' | 'bytes'

export interface DumpTable {
  name: string
  columns: { name: string; type: DumpType }[]
}

export interface DumpSource {
  listTables(): Promise<DumpTable[]>
  /** Values of `table.columns` as the engine's driver returns them, JSON as text, ordered by primary key. */
  readRows(table: DumpTable): AsyncIterable<unknown[]> | Iterable<unknown[]>
}

export type DumpValue = string | number | boolean | null

export type DumpEntry = { table: DumpTable } | { row: DumpValue[] }

export async function* dumpDatabase(source: DumpSource): AsyncGenerator<DumpEntry> {
  for (const table of await source.listTables()) {
    yield { table }
    for await (const values of source.readRows(table)) {
      yield { row: values.map((value, index) => toDumpValue(value, table.columns[index]!.type)) }
    }
  }
}

export function formatDumpLine(entry: DumpEntry): string {
  if ('row' in entry) return JSON.stringify(entry.row)
  const { name, columns } = entry.table
  return JSON.stringify({ table: name, columns: Object.fromEntries(columns.map(({ name, type }) => [name, type])) })
}

export function parseDumpLine(line: string): DumpEntry {
  const parsed = JSON.parse(line) as DumpValue[] | { table: string; columns: Record<string, DumpType> }
  if (Array.isArray(parsed)) return { row: parsed }
  return {
    table: { name: parsed.table, columns: Object.entries(parsed.columns).map(([name, type]) => ({ name, type })) },
  }
}

function toDumpValue(value: unknown, type: DumpType): DumpValue {
  if (value === null) return null
  switch (type) {
    case 'boolean':
      return value === true || value === 1
    case 'json':
      return JSON.stringify(sortKeys(JSON.parse(value as string)))
    case 'bytes':
      return Buffer.from(value as Uint8Array).toString('base64')
  }
  return value as string | number
}

// PostgreSQL reorders the keys of jsonb.
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => compareStrings(one, other))
      .map(([key, member]) => [key, sortKeys(member)]),
  )
}

export function toDumpTable(table: string, columns: readonly { name: string; type: string }[]): DumpTable {
  const dumpedColumns = columns.filter(({ type }) => type.toLowerCase() !== 'tsvector')
  return {
    name: table,
    columns: dumpedColumns.map(({ name, type: declared }) => {
      const type = dumpTypes[declared.toLowerCase()]
      if (!type) throw new Error(`Column ${name} of ${table} has the type ${declared}, which backups don’t support`)
      return { name, type }
    }),
  }
}

const dumpTypes: Record<string, DumpType | undefined> = {
  text: 'text',
  boolean: 'boolean',
  json_text: 'json',
  json: 'json',
  jsonb: 'json',
  integer: 'integer',
  bigint: 'integer',
  real: 'real',
  'double precision': 'real',
  blob: 'bytes',
  bytea: 'bytes',
}

export const migrationsTable = 'keeper_migrations'

/** The search index is left out: loading the other tables marks everything for indexing. */
export const isDumped = (table: string) => table !== migrationsTable && !table.startsWith('search_')
