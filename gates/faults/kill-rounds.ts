import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { abandonedAfterMs } from '#server/agents/usage/budget-reservations.ts'
import { mediaFolder } from '#server/db/backup.ts'
import { openDatabase } from '#server/db/database.ts'
import { FolderMedia } from '#server/media/folder-media.ts'
import { sweepMedia } from '#server/media/sweep-media.ts'
import type { Services } from '#server/services.ts'
import { AcknowledgedWrites } from './acknowledged-writes.ts'
import { type DatabaseInspector, openInspector, queryNumber } from './database-inspector.ts'
import { type ServerOptions, startServer } from './server-process.ts'
import { createLoadWorld, startWriters } from './writers.ts'

export interface Killed {
  kills: number
  acknowledged: number
  lost: string[]
  half: string[]
  /** Corruption, running runs or reservations left after a restart. */
  unsound: string[]
  wrong: string[]
}

/** Repeatedly kills the server under eight writers, up to 150 ms after their first responses, restarts it and checks the database. A defect is planted in every start but the first. */
export async function killRepeatedly(
  { defect, ...plain }: ServerOptions,
  kills: number,
  fullCheckEvery = 50,
): Promise<Killed> {
  const book = new AcknowledgedWrites()
  const killed: Killed = { kills: 0, acknowledged: 0, lost: [], half: [], unsound: [], wrong: [] }
  const first = await startServer(plain)
  const world = await createLoadWorld(first.address, first.setupToken)
  await first.end('SIGTERM')
  const options = { ...plain, ...(defect && { defect }) }
  while (killed.kills < kills) {
    const server = await startServer(options)
    const isWhole = killed.kills % fullCheckEvery === 0
    await compare(killed, book, plain, isWhole)
    const writers = startWriters(server.address, world, book)
    // The first responses of a process are slow; before them, nothing can be lost.
    const acknowledgedBefore = book.acknowledged
    while (book.acknowledged < acknowledgedBefore + 3 && server.child.exitCode === null) await later(2)
    await later(Math.random() * 150)
    const signal = await server.end('SIGKILL')
    if (signal !== 'SIGKILL') throw new Error(`The server exited before it was killed: ${server.stderr()}`)
    await writers.ended
    if (plain.databaseUrl) await waitForWriters(plain)
    killed.kills++
    if (killed.kills % 100 === 0)
      console.log(`  ${killed.kills} kills, ${book.acknowledged} acknowledged, ${killed.lost.length} lost`)
    killed.wrong.push(...writers.wrong, ...(server.stderr() ? [server.stderr().slice(0, 500)] : []))
  }
  killed.acknowledged = book.acknowledged
  const last = await startServer(plain)
  if (plain.databaseUrl) await waitForLeases(plain)
  await compare(killed, book, plain, true, true)
  await last.end('SIGTERM')
  const left = await countUnreferencedFiles(plain)
  if (left > 0) killed.unsound.push(`${left} media files that no row names are left after the sweep`)
  return killed
}

async function compare(
  killed: Killed,
  book: AcknowledgedWrites,
  options: ServerOptions,
  isWhole: boolean,
  isLast = false,
) {
  const inspector = await openInspector(options)
  const { lost, half } = await book.check(inspector, options.dataDir, isWhole)
  killed.lost.push(...lost)
  killed.half.push(...half)
  await noteUnsound(killed, inspector, isWhole, isLast)
  await inspector.close()
}

// PostgreSQL can still be committing requests of the dead process.
async function waitForWriters(options: ServerOptions): Promise<void> {
  const inspector = await openInspector(options)
  const still = `select count(*) from pg_stat_activity where application_name = 'keeper' and datname = current_database()`
  while ((await queryNumber(inspector, still)) > 0) await later(5)
  await inspector.close()
}

// On PostgreSQL, a dead process is recognized by its lease, and its reservations by their age.
async function waitForLeases(options: ServerOptions): Promise<void> {
  const inspector = await openInspector(options)
  const until = Date.now() + abandonedAfterMs + 120_000
  const left = `select (select count(*) from runs where status = 'running') + (select count(*) from budget_holds)`
  while (Date.now() < until && (await queryNumber(inspector, left)) > 0) await later(500)
  await inspector.close()
}

async function noteUnsound(
  killed: Killed,
  inspector: DatabaseInspector,
  whole: boolean,
  isLast: boolean,
): Promise<void> {
  const say = (line: string) => void killed.unsound.push(`after kill ${killed.kills}: ${line}`)
  if (inspector.engine === 'sqlite') {
    const check = whole ? 'integrity_check' : 'quick_check'
    const [row] = await inspector.rows(`pragma ${check}`)
    if (row?.[check] !== 'ok') say(`${check} says ${row?.[check]}`)
    if ((await inspector.rows('pragma foreign_key_check')).length > 0) say('a row points nowhere')
  }
  if (inspector.engine === 'postgres' && !isLast) return
  const expect = async (description: string, sql: string) => {
    const count = await queryNumber(inspector, sql)
    if (count !== 0) say(`${count} ${description}`)
  }
  await expect('runs stuck in running', `select count(*) from runs where status = 'running'`)
  await expect('holds of a budget left behind', 'select count(*) from budget_holds')
  await expect(
    'answers whose run is missing',
    `select count(*) from messages where run_id is not null
    and run_id not in (select id from runs)`,
  )
  await expect(
    'millionths that the budget counts and the ledger does not',
    `select (select coalesce(sum(micros), 0) from spend_windows where bucket = 'platform')
      - (select coalesce(sum(cost_micros), 0) from model_calls where key_source = 'platform')`,
  )
}

async function countUnreferencedFiles({ dataDir, databaseUrl }: ServerOptions): Promise<number> {
  const db = await openDatabase({ dataDir, ...(databaseUrl && { databaseUrl }) })
  const inTwoDays = () => new Date(Date.now() + 2 * 24 * 60 * 60 * 1000)
  await sweepMedia({ db, now: inTwoDays, media: new FolderMedia(dataDir) } as unknown as Services)
  const rows = await db.selectFrom('media').select('sha256').execute()
  await db.close()
  const named = new Set(rows.map(({ sha256 }) => sha256))
  const files = readdirSync(join(dataDir, mediaFolder), { recursive: true, withFileTypes: true })
  return files.filter((file) => file.isFile() && !named.has(file.name)).length
}
