import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import { type Migration, prepareMigrations } from './migrate.ts'

type WithMigrations = { keeper_migrations: { name: string; checksum: string } }

export async function getMigrationState(
  db: Database,
  migrations: readonly Migration[],
): Promise<{ applied: string[]; pending: string[] }> {
  const rows = await db.withTables<WithMigrations>().selectFrom('keeper_migrations').select('name').execute()
  const applied = new Set(rows.map(({ name }) => name))
  const names = prepareMigrations(migrations, db.engine).map(({ name }) => name)
  return {
    applied: [...applied].toSorted(),
    pending: names.filter((name) => !applied.has(name)),
  }
}

export async function countTables(db: Database): Promise<number> {
  const query =
    db.engine === 'sqlite'
      ? sql<{
          count: number
        }>`select count(*) as count from sqlite_schema where type = 'table' and name not like 'sqlite~_%' escape '~'`
      : sql<{
          count: number
        }>`select count(*)::int as count from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`
  const [row] = await db.longRead(query)
  return Number(row?.count ?? 0)
}

/** Messages with table and index names, never values; empty if all is well. `quick` skips index comparison and foreign keys, which only SQLite checks. */
export async function findIntegrityProblems(db: Database, depth: 'quick' | 'thorough'): Promise<string[]> {
  return db.engine === 'sqlite' ? findSqliteProblems(db, depth) : findPostgresProblems(db)
}

async function findSqliteProblems(db: Database, depth: 'quick' | 'thorough'): Promise<string[]> {
  const integrityQuery =
    depth === 'quick'
      ? sql`select message from (select quick_check as message from pragma_quick_check limit 1)`
      : sql`select message from (select integrity_check as message from pragma_integrity_check limit 5)`
  const combinedQuery = sql.join([...(await getSearchIndexProbes(db)), integrityQuery], sql` union all `)
  const problems = (await db.longRead(sql<{ message: string }>`${combinedQuery}`)).flatMap(({ message }) =>
    message === 'ok' ? [] : [message],
  )
  if (depth === 'quick') return problems
  const danglingRows = await db.longRead(sql<{ table: string; parent: string }>`pragma foreign_key_check`)
  const rowsByReference = Map.groupBy(danglingRows, ({ table, parent }) => `${table} point to ${parent}`)
  return [
    ...problems,
    ...[...rowsByReference].map(([reference, rows]) => `${rows.length} rows of ${reference} that don’t exist`),
  ]
}

/** A query per full-text index: a connection that used one before would report later writes as damage, unless it reads the index first. */
async function getSearchIndexProbes(db: Database): Promise<RawBuilder<unknown>[]> {
  const tables = await db.longRead(
    sql<{
      name: string
    }>`select name from sqlite_schema where type = 'table' and sql like 'create virtual table % using fts5%'`,
  )
  return tables.map(
    ({ name }) =>
      sql`select 'ok' as message from (select count(*) from ${sql.table(name)} where ${sql.ref(name)} match '"a"')`,
  )
}

async function findPostgresProblems(db: Database): Promise<string[]> {
  const [indexes, constraints, databaseStats] = await Promise.all([
    db.longRead(
      sql<{ name: string }>`select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
        join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema() and not i.indisvalid`,
    ),
    db.longRead(
      sql<{ name: string }>`select c.conname as name from pg_constraint c join pg_namespace n on n.oid = c.connamespace
        where n.nspname = current_schema() and not c.convalidated`,
    ),
    db.longRead(
      sql<{
        failures: number | null
      }>`select checksum_failures::int as failures from pg_stat_database where datname = current_database()`,
    ),
  ])
  const failures = databaseStats[0]?.failures ?? 0
  return [
    ...indexes.map(({ name }) => `The index ${name} is invalid`),
    ...constraints.map(({ name }) => `The constraint ${name} was never checked`),
    ...(failures > 0 ? [`${failures} pages failed their checksum`] : []),
  ]
}
