import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { type Database, type Engine, openDatabase } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { migrations } from '#server/db/migrations/index.ts'
import { createLog } from '#server/http/log.ts'
import { readSettings } from '#server/settings/settings.ts'
import { addSystemEntries } from '#server/start/add-system-entries.ts'
import { createServices } from '#server/start/create-services.ts'
import { buildServerIfChanged } from '../scripts/build.ts'
import { loadEmbeddedPostgres } from './embedded-postgres.ts'
import { findFreePort } from './find-free-port.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseTemplates: DatabaseTemplates
  }
}

export const templateContents = ['empty', 'built-in entries'] as const
export type TemplateContent = (typeof templateContents)[number]

/** Migrated databases that every fresh one is copied from. */
export interface DatabaseTemplates {
  /** Folders with a data.db. */
  sqlite: Record<TemplateContent, string>
  /** Absent when KEEPER_TEST_ENGINES excludes PostgreSQL. */
  postgres?: PostgresTemplates
}

interface PostgresTemplates {
  /** Server URL with its maintenance database. */
  url: string
  socketDir: string
}

export const postgresTemplates: Record<TemplateContent, string> = {
  empty: 'keeper_template',
  'built-in entries': 'keeper_template_with_entries',
}

/** Runs once per test run. Tests start processes from the build, in half the time that the sources take. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.onTestsRerun(buildServerIfChanged)
  const [{ templates, remove }] = await Promise.all([createTemplates(), buildServerIfChanged()])
  project.provide('databaseTemplates', templates)
  return remove
}

/** Creates the templates and starts a PostgreSQL server that runs until `remove`. */
export async function createTemplates(): Promise<{ templates: DatabaseTemplates; remove(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'keeper-tests-'))
  const sqlite = { empty: join(folder, 'empty'), 'built-in entries': join(folder, 'built-in-entries') }
  const server = readEnginesToTest().includes('postgres') ? await startPostgres() : undefined
  for (const content of templateContents) {
    await fillTemplate(content, sqlite[content])
    if (server) await createPostgresTemplate(server.url, content, folder)
  }
  return {
    templates: { sqlite, postgres: server && { url: server.url, socketDir: server.socketDir } },
    async remove() {
      await server?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Both engines, unless KEEPER_TEST_ENGINES selects some. */
export function readEnginesToTest(): Engine[] {
  const all: Engine[] = ['sqlite', 'postgres']
  const requestedEngines = process.env.KEEPER_TEST_ENGINES?.split(',').map((name) => name.trim())
  const unknown = requestedEngines?.find((name) => !(all as string[]).includes(name))
  if (unknown !== undefined) throw new Error(`KEEPER_TEST_ENGINES names ${unknown}; available: ${all.join(' and ')}`)
  return requestedEngines ? all.filter((engine) => requestedEngines.includes(engine)) : all
}

async function fillTemplate(content: TemplateContent, dataDir: string, databaseUrl?: string): Promise<void> {
  const db = await openDatabase({ dataDir, databaseUrl })
  try {
    await migrate(db, migrations, { dataDir, now: () => new Date() })
    if (content === 'built-in entries') await addBuiltInEntries(db, dataDir)
  } finally {
    await db.close()
  }
}

async function createPostgresTemplate(url: string, content: TemplateContent, folder: string): Promise<void> {
  const admin = new pg.Client(url)
  await admin.connect()
  await admin.query(`create database ${postgresTemplates[content]}`)
  await admin.end()
  await fillTemplate(content, join(folder, 'postgres'), withDatabaseName(url, postgresTemplates[content]))
}

async function addBuiltInEntries(db: Database, dataDir: string): Promise<void> {
  const services = createServices({
    db,
    settings: readSettings({ KEEPER_DATA_DIR: dataDir }),
    masterSecret: 'a secret that only tests use, long enough',
    log: createLog('warn', { write: (line) => void process.stderr.write(line) }),
    now: () => new Date(),
  })
  await addSystemEntries(services)
}

export function withDatabaseName(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

/** A query through a socket takes half the CPU time of one through TCP, and a connection needs no password. */
export function withSocket(url: string, { socketDir }: PostgresTemplates): string {
  if (process.platform === 'win32') return url
  const address = new URL(url)
  address.searchParams.set('host', socketDir)
  return address.href
}

/** Starts PostgreSQL in a temporary folder without fsync: its data is disposable. */
export async function startPostgres(): Promise<{ url: string; socketDir: string; stop(): Promise<void> }> {
  const port = await findFreePort()
  const output: string[] = []
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const databaseDir = mkdtempSync(join(tmpdir(), 'keeper-postgres-'))
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'keeper',
    password: 'keeper',
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync', '--auth-local=trust'],
    postgresFlags: [
      'fsync=off',
      'synchronous_commit=off',
      'full_page_writes=off',
      'autovacuum=off',
      'max_connections=200',
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${databaseDir}`,
    ].flatMap((setting) => ['-c', setting]),
    onLog: (line) => output.push(String(line)),
    onError: (line) => output.push(String(line)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(
      `PostgreSQL for the tests did not start. KEEPER_TEST_ENGINES=sqlite runs without it.\n${output.join('')}`,
      { cause: error },
    )
  }
  return {
    url: `postgres://keeper:keeper@127.0.0.1:${port}/postgres`,
    socketDir: databaseDir,
    stop: () => server.stop(),
  }
}
