import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'

export interface TableColumn {
  table: string
  name: string
  /** The engine's name for the type. */
  type: string
  /** The table that a foreign key points to. */
  target: string | null
}

const migrationTables = new Set(['keeper_migrations'])

/** Every table in the database with its columns, read from the database itself. */
export async function listTables(db: Database): Promise<Map<string, TableColumn[]>> {
  const columns = db.engine === 'sqlite' ? await readSqliteColumns(db) : await readPostgresColumns(db)
  const tables = new Map<string, TableColumn[]>()
  for (const column of columns)
    if (!migrationTables.has(column.table)) tables.set(column.table, [...(tables.get(column.table) ?? []), column])
  return tables
}

function readSqliteColumns(db: Database): Promise<TableColumn[]> {
  return db.longRead<TableColumn>(sql`
    select t.name as "table", c.name as name, c.type as type,
      (select f."table" from pragma_foreign_key_list(t.name) f where f."from" = c.name) as target
    from pragma_table_list t, pragma_table_xinfo(t.name) c
    where t.schema = 'main' and t.type = 'table' and substr(t.name, 1, 7) <> 'sqlite_'
    order by t.name, c.cid`)
}

function readPostgresColumns(db: Database): Promise<TableColumn[]> {
  return db.longRead<TableColumn>(sql`
    select c.table_name as "table", c.column_name as name, c.data_type as type, (
      select target_table.relname from pg_constraint foreign_key
      join pg_class own_table on own_table.oid = foreign_key.conrelid
      join pg_class target_table on target_table.oid = foreign_key.confrelid
      join pg_attribute own_column
        on own_column.attrelid = foreign_key.conrelid and own_column.attnum = foreign_key.conkey[1]
      where foreign_key.contype = 'f' and own_table.relname = c.table_name and own_column.attname = c.column_name limit 1
    ) as target
    from information_schema.columns c
    where c.table_schema = 'public' order by c.table_name, c.ordinal_position`)
}

/** Every row of a table as one JSON line, bytes as latin1. */
export async function readRowsAsText(db: Database, table: string): Promise<string[]> {
  const rows = await db.longRead<Record<string, unknown>>(sql`select * from ${sql.table(table)}`)
  const replacer = (_: string, value: unknown) => (isBytes(value) ? Buffer.from(value).toString('latin1') : value)
  return rows.map((row) => JSON.stringify(bytesToLatin1(row), replacer))
}

// A Buffer serializes itself to a number list before a replacer sees it.
const bytesToLatin1 = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, isBytes(value) ? Buffer.from(value).toString('latin1') : value]),
  )
const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array

interface SeedOptions {
  /** The owner of the rows. */
  personId: string
  /** The person who granted, updated or decided. */
  actorId: string
  /** Part of every text value. */
  canary: string
  newId(): string
  now: number
  /** Column values per table; `null` skips the table. */
  overrides: Partial<Record<string, Record<string, unknown> | null>>
}

const ownerColumns = /^(owner_id|person_id|agent_owner_id|payer|owner|subject)$/
// `judged_by` holds the method that judged a golden question, not a person.
const actorColumns = /(?<!judged)_by$|^author_id$/

/**
 * Inserts one row into every table, with foreign keys to the other rows of the same person; covers future tables and
 * columns. Returns the ids by table.
 */
export async function seedEveryTable(db: Database, options: SeedOptions): Promise<Map<string, string>> {
  const tables = await listTables(db)
  const ids = new Map<string, string>([['people', options.personId]])
  const pendingTables = [...tables.keys()].filter((table) => table !== 'people' && options.overrides[table] !== null)
  while (pendingTables.length > 0) {
    const readyIndex = pendingTables.findIndex((table) =>
      tables.get(table)?.every(({ target }) => target === null || target === table || ids.has(target)),
    )
    if (readyIndex < 0) throw new Error(`These tables reference each other: ${pendingTables.join(', ')}`)
    const [table = ''] = pendingTables.splice(readyIndex, 1)
    const id = options.newId()
    ids.set(table, id)
    const row: Record<string, unknown> = {}
    for (const column of tables.get(table) ?? []) row[column.name] = chooseValue(column, id, ids, options)
    Object.assign(row, options.overrides[table])
    if (typeof row.id === 'string') ids.set(table, row.id)
    const names = Object.keys(row)
    await db.write(sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      values (${sql.join(names.map((name) => row[name]))})`)
  }
  return ids
}

function chooseValue(
  { table, name, type, target }: TableColumn,
  id: string,
  ids: Map<string, string>,
  options: SeedOptions,
) {
  if (name === 'id') return id
  if (table === 'search_entries' && name === 'position') return Number.parseInt(id.slice(-12), 16)
  if (type === 'ARRAY') return '{}'
  if (actorColumns.test(name)) return options.actorId
  if (target !== null) return ids.get(target) ?? null
  if (ownerColumns.test(name)) return options.personId
  if (/_id$/.test(name)) return options.newId()
  const word = `${options.canary}${table.replaceAll('_', '')}${name.replaceAll('_', '')}`
  const kind = type.toLowerCase()
  if (kind.startsWith('json')) return JSON.stringify([word])
  if (kind.startsWith('bool')) return false
  if (kind === 'blob' || kind === 'bytea') return new TextEncoder().encode(word)
  if (kind.startsWith('text')) return word
  return /_(at|until|start|since)$/.test(name) ? options.now : 1
}
