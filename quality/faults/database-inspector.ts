import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { getSqliteFiles } from '../../server/db/sqlite-files.ts'

type InspectedRow = Record<string, string | number | null>

export interface DatabaseInspector {
  engine: 'sqlite' | 'postgres'
  rows(sql: string): Promise<InspectedRow[]>
  close(): Promise<void>
}

export function openInspector({
  dataDir,
  databaseUrl,
}: {
  dataDir: string
  databaseUrl?: string
}): Promise<DatabaseInspector> {
  return databaseUrl ? openPostgresInspector(databaseUrl) : openSqliteInspector(dataDir)
}

async function openSqliteInspector(dataDir: string): Promise<DatabaseInspector> {
  const database = new DatabaseSync(getSqliteFiles(dataDir).database, { readOnly: true, timeout: 10_000 })
  return {
    engine: 'sqlite',
    rows: async (sql) => database.prepare(sql).all() as InspectedRow[],
    close: async () => database.close(),
  }
}

async function openPostgresInspector(databaseUrl: string): Promise<DatabaseInspector> {
  // A different name, so that dropping the server's connections leaves this one.
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'gate' })
  await client.connect()
  return {
    engine: 'postgres',
    rows: async (sql) => (await client.query(sql)).rows as InspectedRow[],
    close: () => client.end(),
  }
}

export function toSqlList(keys: readonly string[]): string {
  if (keys.some((key) => !/^[\w-]+$/.test(key))) throw new Error('An invalid key')
  return keys.map((key) => `'${key}'`).join(', ')
}

export async function queryNumber(inspector: DatabaseInspector, sql: string): Promise<number> {
  const [row] = await inspector.rows(sql)
  return Number(Object.values(row ?? { none: Number.NaN })[0])
}
