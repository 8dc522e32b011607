import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { getSqliteFiles } from './sqlite-files.ts'
import { longMigration, longMigrationRowCount } from './testing/long-migration.ts'

const testing = join(import.meta.dirname, 'testing')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keeper-crash-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

interface Outcome {
  acknowledgedCount: number
  lostCount: number
  integrityResults: Set<unknown>
}

/** Kills the writers until a row is lost, at most `maxKills` times. */
async function killWriters(maxKills: number, writerFile?: string): Promise<Outcome> {
  const outcome: Outcome = { acknowledgedCount: 0, lostCount: 0, integrityResults: new Set() }
  for (let round = 0; round < maxKills && outcome.lostCount === 0; round++) {
    const acknowledged = await readAcknowledgedUntilKill(round * 1_000_000, writerFile)
    const { stored, integrity } = readStoredRows()
    outcome.acknowledgedCount += acknowledged.length
    outcome.lostCount += acknowledged.filter((number) => !stored.has(number)).length
    outcome.integrityResults.add(integrity)
  }
  return outcome
}

async function readAcknowledgedUntilKill(firstNumber: number, writerFile: string | undefined): Promise<number[]> {
  const child = spawn(
    process.execPath,
    [join(testing, 'crash-child.ts'), folder, String(firstNumber), ...(writerFile ? [writerFile] : [])],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  await once(child.stdout, 'data')
  await delay(Math.random() * 60)
  child.kill('SIGKILL')
  const [, signal] = await once(child, 'close')
  // A writer that ended normally would prove nothing.
  if (signal !== 'SIGKILL') throw new Error('The writers ended before they were killed')
  return output.split('\n').slice(0, -1).map(Number)
}

function readStoredRows(): { stored: Set<number>; integrity: unknown } {
  const database = new DatabaseSync(getSqliteFiles(folder).database)
  const rows = hasTable(database, 'acknowledged') ? database.prepare('select number from acknowledged').all() : []
  const integrity = database.prepare('pragma integrity_check').get()?.integrity_check
  database.close()
  return { stored: new Set(rows.map(({ number }) => Number(number))), integrity }
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare('select 1 from sqlite_schema where name = ?').get(name) !== undefined
}

test('ten kills during eight writers lose no acknowledged row', async () => {
  const outcome = await killWriters(10)
  expect(outcome.acknowledgedCount).toBeGreaterThan(10)
  expect(outcome.lostCount).toBe(0)
  expect([...outcome.integrityResults]).toEqual(['ok'])
}, 120_000)

test('control: a writer that acknowledges before its commit loses rows', async () => {
  const outcome = await killWriters(50, pathToFileURL(join(testing, 'early-writer.ts')).href)
  expect(outcome.lostCount).toBeGreaterThan(0)
  expect([...outcome.integrityResults]).toEqual(['ok'])
}, 120_000)

test('a killed migration applies fully or not at all, and the next start finishes it', async () => {
  const states = new Set<string>()
  for (let round = 0; round < 8; round++) {
    const child = spawn(process.execPath, [join(testing, 'migrate-child.ts'), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const closed = once(child, 'close')
    await once(child.stdout, 'data')
    await delay(Math.random() * 250)
    child.kill('SIGKILL')
    await closed
    states.add(getMigrationState())
  }
  expect([...states].filter((state) => state !== 'nothing, not recorded' && state !== 'all, recorded')).toEqual([])
  const db = await openDatabase({ dataDir: folder })
  await migrate(db, [longMigration], { dataDir: folder, now: () => new Date(), backup: false })
  await db.close()
  expect(getMigrationState()).toBe('all, recorded')
}, 120_000)

function getMigrationState(): string {
  const database = new DatabaseSync(getSqliteFiles(folder).database)
  const count = (table: string, where = '') =>
    hasTable(database, table)
      ? Number(database.prepare(`select count(*) as count from ${table} ${where}`).get()?.count)
      : 0
  const rowCount = count('made', `where text like '%.'`)
  const isRecorded = count('keeper_migrations') > 0
  database.close()
  let extent = 'part'
  if (rowCount === longMigrationRowCount) extent = 'all'
  if (rowCount === 0) extent = 'nothing'
  return `${extent}, ${isRecorded ? 'recorded' : 'not recorded'}`
}
