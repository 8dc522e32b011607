import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, type Engine, openDatabase } from '../../server/db/database.ts'
import { findIntegrityProblems } from '../../server/db/database-health.ts'
import { migrations as releasedMigrations } from '../../server/db/migrations/index.ts'
import { createDatabaseAtVersion, findLostRows, readCatalog, readTableRows } from '../../tests/released-databases.ts'
import { getFreshCatalog } from './upgrade.ts'

const messageCount = 3_000

export interface UpgradeKillOutcome {
  /** Number of applied migrations after each kill, distinct. */
  stages: number[]
  kills: number
  problems: string[]
}

/** Repeatedly upgrades a first-version database with many chats, kills the process at a random moment, checks the database and lets the next start finish. */
export async function killUpgrades(engine: Engine, killCount: number): Promise<UpgradeKillOutcome> {
  const outcome: UpgradeKillOutcome = { stages: [], kills: 0, problems: [] }
  const catalogByStage = await readCatalogs(engine)
  let upgradeMs = Number.POSITIVE_INFINITY
  // The first upgrade runs to its end to measure its duration; upgrades done before the kill don't count.
  for (let round = 0; outcome.kills < killCount && round < 5 * killCount; round++) {
    const oldDatabase = await createDatabaseAtVersion(engine, 1)
    await fillWithChats(oldDatabase.db)
    const rows = await readTableRows(oldDatabase.db)
    await oldDatabase.db.close()
    const child = startUpgrade(oldDatabase)
    await once(child.stdout!, 'data')
    const closed = once(child, 'close')
    const startedAt = performance.now()
    if (round > 0) {
      await Promise.race([delay(Math.random() * upgradeMs), closed])
      child.kill('SIGKILL')
    }
    const [, signal] = await closed
    if (signal === 'SIGKILL') outcome.kills++
    else upgradeMs = Math.min(upgradeMs, performance.now() - startedAt)
    const addProblem = (text: string) => outcome.problems.push(`${engine}, kill ${round}: ${text}`)
    const db = await openDatabase(oldDatabase)
    const stage = await countMigrations(db)
    if (!outcome.stages.includes(stage)) outcome.stages.push(stage)
    if ((await readCatalog(db)) !== catalogByStage[stage])
      addProblem(`the tables differ from a database after ${stage} migrations`)
    for (const text of findLostRows(rows, await readTableRows(db))) addProblem(text)
    for (const text of await findIntegrityProblems(db, 'thorough')) addProblem(text)
    await db.close()
    const backupFolder = join(oldDatabase.dataDir, 'backups')
    const backups = existsSync(backupFolder)
      ? readdirSync(backupFolder).filter((name) => !name.endsWith('.unfinished'))
      : []
    if (stage > 1 && backups.length === 0) addProblem('it migrated without a backup')
    const nextStart = startUpgrade(oldDatabase)
    const [code] = await once(nextStart, 'close')
    if (code !== 0) addProblem(`the next start ended with ${code}`)
    const finishedDatabase = await openDatabase(oldDatabase)
    if ((await readCatalog(finishedDatabase)) !== (await getFreshCatalog(engine)))
      addProblem('the next start did not finish it')
    for (const text of findLostRows(rows, await readTableRows(finishedDatabase)))
      addProblem(`after the next start ${text}`)
    await finishedDatabase.close()
    await oldDatabase.close()
  }
  if (outcome.kills < killCount) outcome.problems.push(`only ${outcome.kills} kills interrupted an upgrade`)
  return outcome
}

export async function upgradeConcurrently(): Promise<string[]> {
  const oldDatabase = await createDatabaseAtVersion('postgres', 1)
  await fillWithChats(oldDatabase.db)
  const rows = await readTableRows(oldDatabase.db)
  const otherDataDir = `${oldDatabase.dataDir}-other`
  const upgrades = await Promise.all(
    [oldDatabase, { ...oldDatabase, dataDir: otherDataDir }].map(async (target) => {
      const child = startUpgrade(target)
      let output = ''
      child.stdout?.on('data', (text) => (output += text))
      const [code] = await once(child, 'close')
      return { code, applied: Number(output.split('\n')[1]) }
    }),
  )
  const problems = findLostRows(rows, await readTableRows(oldDatabase.db))
  if (upgrades.some(({ code }) => code !== 0))
    problems.push(`they ended with ${upgrades.map(({ code }) => code).join(' and ')}`)
  const applied = upgrades.map((upgrade) => upgrade.applied).sort((one, two) => one - two)
  if (applied.join() !== `0,${releasedMigrations.length - 1}`)
    problems.push(`they applied ${applied.join(' and ')} migrations`)
  if ((await readCatalog(oldDatabase.db)) !== (await getFreshCatalog('postgres')))
    problems.push('the tables are not the newest')
  await oldDatabase.close()
  return problems
}

async function readCatalogs(engine: Engine): Promise<string[]> {
  const expectedCatalogs: string[] = ['']
  for (let count = 1; count <= releasedMigrations.length; count++) {
    const database = await createDatabaseAtVersion(engine, count)
    expectedCatalogs.push(await readCatalog(database.db))
    await database.close()
  }
  return expectedCatalogs
}

async function countMigrations(db: Database): Promise<number> {
  const [row] = await db.longRead<{ count: number }>(sql`select count(*) as count from keeper_migrations`)
  return Number(row?.count)
}

async function fillWithChats(db: Database): Promise<void> {
  const [templateMessage] = await db.longRead<Record<string, unknown>>(sql`select * from messages limit 1`)
  if (!templateMessage) throw new Error('There is no message to copy')
  const names = Object.keys(templateMessage)
  for (let start = 0; start < messageCount; start += 500) {
    const rows = Array.from({ length: 500 }, (_, index) => {
      const position = 1_000 + start + index
      const message: Record<string, unknown> = {
        ...templateMessage,
        id: `message-${position}`,
        position,
        created_at: position,
      }
      return sql`(${sql.join(names.map((name) => toParameter(message[name])))})`
    })
    await db.write(sql`insert into messages (${sql.join(names.map((name) => sql.ref(name)))}) values ${sql.join(rows)}`)
  }
}

const toParameter = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)

function startUpgrade({ dataDir, databaseUrl }: { dataDir: string; databaseUrl?: string }): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'migrate-child.ts'), dataDir, databaseUrl ?? ''], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
