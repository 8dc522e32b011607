import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { Database, type Engine, openDatabase } from '#server/db/database.ts'
import { openSqliteDriver } from '#server/db/sqlite-driver.ts'
import {
  createTemplates,
  type DatabaseTemplates,
  postgresTemplates,
  readEnginesToTest,
  type TemplateContent,
  withDatabaseName,
  withSocket,
} from './engines-setup.ts'
import { moveTempDirToMemory } from './in-memory-temp-dir.ts'
import { pooledThreads } from './thread-pool.ts'

// Each SQLite database starts a thread that would strip types again; the cache saves 20 ms each.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'keeper-compile-cache')

export const engines: Engine[] = readEnginesToTest()

let scriptTemplates: DatabaseTemplates | undefined
const getTemplates = () => scriptTemplates ?? inject('databaseTemplates')

/** Provides databases to scripts in quality/, which run without vitest. Returns a cleanup function. */
export async function startEnginesWithoutRunner(): Promise<() => Promise<void>> {
  moveTempDirToMemory()
  const created = await createTemplates()
  scriptTemplates = created.templates
  return async () => {
    // The pool's last connection may still be closing when the server stops.
    admin?.on('error', () => {})
    await admin?.end()
    await created.remove()
  }
}

export interface FreshDatabase {
  db: Database
  dataDir: string
  databaseUrl?: string
  close(): Promise<void>
}

/** A migrated database. `close` closes and removes it, and is safe after `db.close()`. */
export async function createFreshDatabase(engine: Engine, content: TemplateContent = 'empty'): Promise<FreshDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-data-'))
  const { databaseUrl, socketUrl, drop } =
    engine === 'postgres' ? await copyPostgresTemplate(content) : copySqliteTemplate(content, dataDir)
  const db = socketUrl
    ? await openDatabase({ dataDir, databaseUrl: socketUrl })
    : new Database(await openSqliteDriver(dataDir, {}, pooledThreads))
  return {
    db,
    dataDir,
    databaseUrl,
    async close() {
      await db.close()
      await drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

interface CopiedTemplate {
  /** For connections that other processes and poolers open. */
  databaseUrl?: string
  socketUrl?: string
  drop(): void | Promise<void>
}

function copySqliteTemplate(content: TemplateContent, dataDir: string): CopiedTemplate {
  copyFileSync(join(getTemplates().sqlite[content], 'data.db'), join(dataDir, 'data.db'))
  return { drop() {} }
}

let admin: pg.Pool | undefined

async function copyPostgresTemplate(content: TemplateContent): Promise<CopiedTemplate> {
  const { postgres } = getTemplates()
  if (!postgres) throw new Error('PostgreSQL was not started for these tests: loop over `engines`')
  admin ??= new pg.Pool({ connectionString: withSocket(postgres.url, postgres), max: 2, allowExitOnIdle: true })
  const pool = admin
  const name = `keeper_${randomBytes(6).toString('hex')}`
  // Without fsync, copying files takes two thirds of the CPU time of logging them.
  await pool.query(`create database ${name} template ${postgresTemplates[content]} strategy file_copy`)
  const databaseUrl = withDatabaseName(postgres.url, name)
  return {
    databaseUrl,
    socketUrl: withSocket(databaseUrl, postgres),
    async drop() {
      await waitForDisconnects(pool, name)
      await pool.query(`drop database if exists ${name} with (force)`)
    },
  }
}

/** A backend lingers briefly after its client disconnects; dropping the database too early costs 100 ms. */
async function waitForDisconnects(pool: pg.Pool, name: string): Promise<void> {
  const countQuery = 'select count(*)::int as count from pg_stat_activity where datname = $1'
  for (let attempts = 0; attempts < 20; attempts++) {
    const { rows } = await pool.query<{ count: number }>(countQuery, [name])
    if (rows[0]?.count === 0) return
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
