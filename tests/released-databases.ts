import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { type Database, type Engine, openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations as released } from '#server/db/migrations/index.ts'
import { getSqliteFiles } from '#server/db/sqlite-files.ts'
import { createFreshDatabase, type FreshDatabase } from './engines.ts'
import { listTables, seedEveryTable } from './every-table.ts'

const now = () => new Date('2026-11-21T04:05:06.789Z')
const canary = 'harbour 🫖 שלום '

/** A database without any tables. */
export async function createBareDatabase(engine: Engine): Promise<FreshDatabase> {
  const fresh = await createFreshDatabase(engine)
  if (engine === 'postgres') {
    await fresh.db.write(sql`drop schema public cascade`)
    await fresh.db.write(sql`create schema public`)
    return fresh
  }
  await fresh.db.close()
  rmSync(getSqliteFiles(fresh.dataDir).database)
  const db = await openDatabase(fresh)
  return {
    ...fresh,
    db,
    async close() {
      await db.close()
      await fresh.close()
    },
  }
}

/**
 * A database after the first `count` released migrations, with rows in every table. Recorded checksums ensure that
 * those migrations haven't changed.
 */
export async function createDatabaseAtVersion(engine: Engine, count: number): Promise<FreshDatabase> {
  const bare = await createBareDatabase(engine)
  await migrate(bare.db, released.slice(0, count), { dataDir: bare.dataDir, now, backup: false })
  const tables = await listTables(bare.db)
  for (const personId of ['ada', 'ben']) await seedPerson(bare.db, personId, tables)
  return bare
}

async function seedPerson(db: Database, personId: string, tables: Map<string, { name: string }[]>): Promise<void> {
  let idCount = 0
  const person = {
    id: personId,
    email: `${personId}@example.org`,
    email_folded: `${personId}@example.org`,
    password_hash: 'x',
  }
  await db.write(sql`insert into people (id, email, email_folded, password_hash, created_at)
    values (${person.id}, ${person.email}, ${person.email_folded}, ${person.password_hash}, ${now().getTime()})`)
  // Columns that are unique across people.
  const uniqueValues = Object.fromEntries(
    [...tables].map(([table, columns]) => {
      const uniqueColumns = columns.filter(({ name }) => /^(slug|bucket|scope|model|key|subject|sha256)$/.test(name))
      return [table, Object.fromEntries(uniqueColumns.map(({ name }) => [name, `${name}-${personId}`]))]
    }),
  )
  await seedEveryTable(db, {
    personId,
    actorId: personId,
    canary: `${canary}${personId} `,
    newId: () => `${personId}-${++idCount}`,
    now: now().getTime(),
    overrides: { ...uniqueValues, keeper_migrations: null },
  })
}

/** Tables, columns, indexes, constraints and triggers, as the database reports them. */
export async function readCatalog(db: Database): Promise<string> {
  const rows = db.engine === 'sqlite' ? await readSqliteCatalog(db) : await readPostgresCatalog(db)
  return rows.map((row) => JSON.stringify(row)).join('\n')
}

function readSqliteCatalog(db: Database): Promise<unknown[]> {
  return db.longRead(
    sql`select type, name, tbl_name, sql from sqlite_schema where name not like 'sqlite~_stat%' escape '~' order by type, name`,
  )
}

function readPostgresCatalog(db: Database): Promise<unknown[]> {
  return db.longRead(sql`
    select 'column' as kind, table_name || '.' || column_name as name, concat_ws(' ', data_type, collation_name,
      is_nullable, column_default, generation_expression, ordinal_position) as definition
      from information_schema.columns where table_schema = 'public'
    union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
    union all select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select 'function', proname, pg_get_functiondef(oid) from pg_proc
      where pronamespace = 'public'::regnamespace and prokind = 'f'
    order by 1, 2, 3`)
}

/** Rows by table name. */
export type TableRows = Map<string, Record<string, unknown>[]>

export async function readTableRows(db: Database): Promise<TableRows> {
  const rowsByTable: TableRows = new Map()
  for (const table of (await listTables(db)).keys())
    rowsByTable.set(table, await db.longRead<Record<string, unknown>>(sql`select * from ${sql.table(table)}`))
  return rowsByTable
}

/**
 * A sentence per table whose rows did not survive an upgrade unchanged. Migrations may add rows only to `newTables`.
 */
export function findLostRows(
  previous: TableRows,
  updated: TableRows,
  newTables: readonly string[] = ['model_calls'],
): string[] {
  const problems: string[] = []
  for (const [table, rows] of previous) {
    const columns = Object.keys(rows[0] ?? {})
    const toLine = (row: Record<string, unknown>) => JSON.stringify(columns.map((column) => row[column]))
    const updatedLines = (updated.get(table) ?? []).map(toLine)
    const updatedLineSet = new Set(updatedLines)
    const lostCount = rows.filter((row) => !updatedLineSet.has(toLine(row))).length
    if (lostCount > 0) problems.push(`${lostCount} of ${rows.length} rows of ${table} are missing or changed`)
    if (updatedLines.length > rows.length && !newTables.includes(table))
      problems.push(`${table} has ${updatedLines.length - rows.length} additional rows`)
  }
  return problems
}
