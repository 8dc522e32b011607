import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { sqliteFiles } from '#server/db/sqlite-files.ts'

type Row = Record<string, string | number | null>

export interface Look {
  engine: 'sqlite' | 'postgres'
  rows(sql: string): Promise<Row[]>
  close(): Promise<void>
}

export function lookAt({ dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string }): Promise<Look> {
  return databaseUrl ? lookAtPostgres(databaseUrl) : lookAtSqlite(dataDir)
}

async function lookAtSqlite(dataDir: string): Promise<Look> {
  const database = new DatabaseSync(sqliteFiles(dataDir).database, { readOnly: true, timeout: 10_000 })
  return {
    engine: 'sqlite',
    rows: async (sql) => database.prepare(sql).all() as Row[],
    close: async () => database.close(),
  }
}

async function lookAtPostgres(databaseUrl: string): Promise<Look> {
  // A different name, so that dropping the server's connections leaves this one.
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'gate' })
  await client.connect()
  return {
    engine: 'postgres',
    rows: async (sql) => (await client.query(sql)).rows as Row[],
    close: () => client.end(),
  }
}

export function listOf(keys: readonly string[]): string {
  if (keys.some((key) => !/^[\w-]+$/.test(key))) throw new Error('An invalid key')
  return keys.map((key) => `'${key}'`).join(', ')
}

export async function numberIn(look: Look, sql: string): Promise<number> {
  const [row] = await look.rows(sql)
  return Number(Object.values(row ?? { none: Number.NaN })[0])
}
