import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { abandonedAfterMs } from '../../server/agents/usage/budget-reservations.ts'
import { mediaFolder } from '../../server/db/backup.ts'
import { openDatabase } from '../../server/db/database.ts'
import { FolderMedia } from '../../server/media/folder-media.ts'
import { sweepMedia } from '../../server/media/sweep-media.ts'
import type { Services } from '../../server/services.ts'
import { AcknowledgedWrites } from './acknowledged-writes.ts'
import { type DatabaseInspector, openInspector, queryNumber } from './database-inspector.ts'
import { type ServerOptions, startServer } from './server-process.ts'
import { createLoadWorld, startWriters } from './writers.ts'

export interface KillOutcome {
  kills: number
  acknowledged: number
  lost: string[]
  partial: string[]
  /** Corruption, running runs or reservations left after a restart. */
  inconsistencies: string[]
  problems: string[]
}

/** Repeatedly kills the server under eight writers, up to 150 ms after their first responses, restarts it and checks the database. A defect is planted in every start but the first. */
export async function killRepeatedly(
  { defect, ...plainOptions }: ServerOptions,
  kills: number,
  fullCheckEvery = 50,
): Promise<KillOutcome> {
  const writes = new AcknowledgedWrites()
  const outcome: KillOutcome = { kills: 0, acknowledged: 0, lost: [], partial: [], inconsistencies: [], problems: [] }
  const first = await startServer(plainOptions)
  const world = await createLoadWorld(first.address, first.setupToken)
  await first.end('SIGTERM')
  const options = { ...plainOptions, ...(defect && { defect }) }
  while (outcome.kills < kills) {
    const server = await startServer(options)
    const isFullCheck = outcome.kills % fullCheckEvery === 0
    await checkWrites(outcome, writes, plainOptions, isFullCheck)
    const writers = startWriters(server.address, world, writes)
    // The first responses of a process are slow; before them, nothing can be lost.
    const acknowledgedBefore = writes.acknowledgedCount
    while (writes.acknowledgedCount < acknowledgedBefore + 3 && server.child.exitCode === null) await delay(2)
    await delay(Math.random() * 150)
    const signal = await server.end('SIGKILL')
    if (signal !== 'SIGKILL') throw new Error(`The server exited before it was killed: ${server.stderr()}`)
    await writers.finished
    if (plainOptions.databaseUrl) await waitForWriters(plainOptions)
    outcome.kills++
    if (outcome.kills % 100 === 0)
      console.log(`  ${outcome.kills} kills, ${writes.acknowledgedCount} acknowledged, ${outcome.lost.length} lost`)
    outcome.problems.push(...writers.problems, ...(server.stderr() ? [server.stderr().slice(0, 500)] : []))
  }
  outcome.acknowledged = writes.acknowledgedCount
  const last = await startServer(plainOptions)
  if (plainOptions.databaseUrl) await waitForLeases(plainOptions)
  await checkWrites(outcome, writes, plainOptions, true, true)
  await last.end('SIGTERM')
  const unreferencedCount = await countUnreferencedFiles(plainOptions)
  if (unreferencedCount > 0)
    outcome.inconsistencies.push(`${unreferencedCount} unreferenced media files are left after the sweep`)
  return outcome
}

async function checkWrites(
  outcome: KillOutcome,
  writes: AcknowledgedWrites,
  options: ServerOptions,
  isFullCheck: boolean,
  isLast = false,
) {
  const inspector = await openInspector(options)
  const { lost, partial } = await writes.check(inspector, options.dataDir, isFullCheck)
  outcome.lost.push(...lost)
  outcome.partial.push(...partial)
  await recordInconsistencies(outcome, inspector, isFullCheck, isLast)
  await inspector.close()
}

// PostgreSQL can still be committing requests of the dead process.
async function waitForWriters(options: ServerOptions): Promise<void> {
  const inspector = await openInspector(options)
  const writerCountQuery = `select count(*) from pg_stat_activity where application_name = 'keeper' and datname = current_database()`
  while ((await queryNumber(inspector, writerCountQuery)) > 0) await delay(5)
  await inspector.close()
}

// On PostgreSQL, a dead process is recognized by its lease, and its reservations by their age.
async function waitForLeases(options: ServerOptions): Promise<void> {
  const inspector = await openInspector(options)
  const deadline = Date.now() + abandonedAfterMs + 120_000
  const unfinishedQuery = `select (select count(*) from runs where status = 'running') + (select count(*) from budget_holds)`
  while (Date.now() < deadline && (await queryNumber(inspector, unfinishedQuery)) > 0) await delay(500)
  await inspector.close()
}

async function recordInconsistencies(
  outcome: KillOutcome,
  inspector: DatabaseInspector,
  isFullCheck: boolean,
  isLast: boolean,
): Promise<void> {
  const recordProblem = (line: string) => void outcome.inconsistencies.push(`after kill ${outcome.kills}: ${line}`)
  if (inspector.engine === 'sqlite') {
    const check = isFullCheck ? 'integrity_check' : 'quick_check'
    const [row] = await inspector.rows(`pragma ${check}`)
    if (row?.[check] !== 'ok') recordProblem(`${check} says ${row?.[check]}`)
    if ((await inspector.rows('pragma foreign_key_check')).length > 0) recordProblem('a row refers to a missing row')
  }
  if (inspector.engine === 'postgres' && !isLast) return
  const expectNone = async (description: string, sql: string) => {
    const count = await queryNumber(inspector, sql)
    if (count !== 0) recordProblem(`${count} ${description}`)
  }
  await expectNone('runs stuck in running', `select count(*) from runs where status = 'running'`)
  await expectNone('budget reservations left behind', 'select count(*) from budget_holds')
  await expectNone(
    'answers whose run is missing',
    `select count(*) from messages where run_id is not null
    and run_id not in (select id from runs)`,
  )
  await expectNone(
    'millionths that the budget counts and the ledger does not',
    `select (select coalesce(sum(micros), 0) from spend_windows where bucket = 'platform')
      - (select coalesce(sum(cost_micros), 0) from model_calls where key_source = 'platform')`,
  )
}

async function countUnreferencedFiles({ dataDir, databaseUrl }: ServerOptions): Promise<number> {
  const db = await openDatabase({ dataDir, ...(databaseUrl && { databaseUrl }) })
  const getDayAfterTomorrow = () => new Date(Date.now() + 2 * 24 * 60 * 60 * 1000)
  await sweepMedia({ db, now: getDayAfterTomorrow, media: new FolderMedia(dataDir) } as unknown as Services)
  const rows = await db.selectFrom('media').select('sha256').execute()
  await db.close()
  const referencedHashes = new Set(rows.map(({ sha256 }) => sha256))
  const files = readdirSync(join(dataDir, mediaFolder), { recursive: true, withFileTypes: true })
  return files.filter((file) => file.isFile() && !referencedHashes.has(file.name)).length
}
