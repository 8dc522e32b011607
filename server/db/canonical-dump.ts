/** The types of columns that both engines have. */
export type DumpType = 'text' | 'integer' | 'real' | 'boolean' | 'json' | 'bytes'

export interface DumpTable {
  name: string
  /** Ordered by name. */
  columns: { name: string; type: DumpType }[]
}

/** A database as seen at one moment. */
export interface DumpSource {
  /** Ordered by name. */
  tables(): Promise<DumpTable[]>
  /** The values of `table.columns` as the engine's driver gives them, JSON as its text, ordered by the primary key. */
  rows(table: DumpTable): AsyncIterable<unknown[]> | Iterable<unknown[]>
}

/** Text, number, boolean or null; JSON as its canonical text, bytes in base64. */
export type DumpValue = string | number | boolean | null

/** A table's head, or a row of the table whose head came last. */
export type DumpEntry = { table: DumpTable } | { row: DumpValue[] }

/** All tables and rows in one order and one notation: two databases with the same content give the same text, whatever their engine. */
export async function* dumpOf(source: DumpSource): AsyncGenerator<DumpEntry> {
  for (const table of await source.tables()) {
    yield { table }
    for await (const values of source.rows(table)) {
      yield { row: values.map((value, index) => dumpValue(value, table.columns[index]!.type)) }
    }
  }
}

/** `{"table":"pots","columns":{"id":"text"}}`, then a line `["one"]` for each row. */
export function lineOf(entry: DumpEntry): string {
  if ('row' in entry) return JSON.stringify(entry.row)
  const { name, columns } = entry.table
  return JSON.stringify({ table: name, columns: Object.fromEntries(columns.map(({ name, type }) => [name, type])) })
}

export function entryOf(line: string): DumpEntry {
  const parsed = JSON.parse(line) as DumpValue[] | { table: string; columns: Record<string, DumpType> }
  if (Array.isArray(parsed)) return { row: parsed }
  return {
    table: { name: parsed.table, columns: Object.entries(parsed.columns).map(([name, type]) => ({ name, type })) },
  }
}

function dumpValue(value: unknown, type: DumpType): DumpValue {
  if (value === null) return null
  switch (type) {
    case 'boolean':
      return value === true || value === 1
    case 'json':
      return JSON.stringify(sorted(JSON.parse(value as string)))
    case 'bytes':
      return Buffer.from(value as Uint8Array).toString('base64')
  }
  return value as string | number
}

// PostgreSQL keeps the keys of jsonb in an order of its own.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

/** A column's declared type in the dump's words; undefined for what is made anew from other columns, as PostgreSQL's search index is. */
export function dumpType(table: string, column: string, declared: string): DumpType | undefined {
  const word = declared.toLowerCase()
  if (word === 'tsvector') return undefined
  const type = dumpTypes[word]
  if (!type) throw new Error(`Column ${column} of ${table} has the type ${declared}, which a backup does not know`)
  return type
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

/** The migrations are not content: a restore makes them anew. */
export const migrationsTable = 'keeper_migrations'
