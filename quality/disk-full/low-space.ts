import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { root } from '../../bench/measure.ts'
import { openDatabase } from '../../server/db/database.ts'
import { findIntegrityProblems } from '../../server/db/database-health.ts'
import { migrations as releasedMigrations } from '../../server/db/migrations/index.ts'
import { createDatabaseAtVersion, findLostRows, readCatalog, readTableRows } from '../../tests/released-databases.ts'
import { createDefectUrl, type Defect } from '../faults/planted-defect.ts'
import { getFreshCatalog } from '../migrations/upgrade.ts'

export interface LowSpaceResult {
  tooSmall: number
  enoughKb: number
  problems: string[]
}

const stepKb = 192
const maxKb = 8_192
const tablesFilledByStart = ['model_calls', 'agents', 'one_time_links']

/** Starts Keeper on a first-version database with increasing space until it upgrades; earlier starts must fail with one line about the disk and lose no row. */
export async function upgradeWithLowSpace(defect?: Defect): Promise<LowSpaceResult> {
  const oldDatabase = await createDatabaseAtVersion('sqlite', 1)
  const [rows, newestCatalog] = [await readTableRows(oldDatabase.db), await getFreshCatalog('sqlite')]
  await oldDatabase.db.close()
  const outcome = await repeatWithMoreSpace(oldDatabase.dataDir, async (dataDir, reportProblem) => {
    const { status, stderr } = runScript('quality/disk-full/start-and-stop.ts', dataDir, defect)
    const isUp = status === 0
    if (!isUp && !/^Keeper cannot start: The disk is full[^\n]*\n$/.test(stderr))
      reportProblem(`printed ${JSON.stringify(stderr.slice(0, 300))}`)
    for (const name of listUnfinishedBackups(dataDir)) reportProblem(`${name} was left behind`)
    const spaciousDir = mkdtempSync(join(tmpdir(), 'keeper-spacious-'))
    cpSync(dataDir, spaciousDir, { recursive: true })
    const db = await openDatabase({ dataDir: spaciousDir })
    const [row] = await db.longRead<{ count: number }>(sql`select count(*) as count from keeper_migrations`)
    if (isUp && Number(row?.count) !== releasedMigrations.length) reportProblem(`${row?.count} migrations are recorded`)
    for (const text of [
      ...findLostRows(rows, await readTableRows(db), tablesFilledByStart),
      ...(await findIntegrityProblems(db, 'thorough')),
    ])
      reportProblem(text)
    await db.close()
    const rerun = runScript('quality/disk-full/start-and-stop.ts', spaciousDir)
    if (rerun.status !== 0)
      reportProblem(`with enough space it exited with ${rerun.status}: ${rerun.stderr.slice(0, 300)}`)
    const upgraded = await openDatabase({ dataDir: spaciousDir })
    if ((await readCatalog(upgraded)) !== newestCatalog)
      reportProblem('with enough space its tables are not the newest')
    for (const text of findLostRows(rows, await readTableRows(upgraded), tablesFilledByStart))
      reportProblem(`with enough space ${text}`)
    await upgraded.close()
    rmSync(spaciousDir, { recursive: true })
    return isUp
  })
  await oldDatabase.close()
  return outcome
}

export async function backUpWithLowSpace(defect?: Defect): Promise<LowSpaceResult> {
  const full = await createDatabaseAtVersion('sqlite', releasedMigrations.length)
  await full.db.close()
  const media = join(full.dataDir, 'media', 'aa')
  mkdirSync(media, { recursive: true })
  // As large as the database, so that some size fits only one of the two.
  cpSync(join(full.dataDir, 'data.db'), join(media, 'a'.repeat(64)))
  const outcome = await repeatWithMoreSpace(full.dataDir, async (dataDir, reportProblem) => {
    const { status, stdout, stderr } = runScript('scripts/backup.ts', dataDir, defect)
    const backups = existsSync(join(dataDir, 'backups')) ? readdirSync(join(dataDir, 'backups')) : []
    if (status === 0) {
      if (backups.length !== 1 || !stdout.includes('Backup: '))
        reportProblem(`created ${backups.join(', ') || 'nothing'}`)
      return true
    }
    if (!/^The disk is full[^\n]*\n$/.test(stderr)) reportProblem(`printed ${JSON.stringify(stderr.slice(0, 300))}`)
    for (const name of backups) reportProblem(`${name} was left behind`)
    return false
  })
  await full.close()
  return outcome
}

export async function restoreWithLowSpace(defect?: Defect): Promise<LowSpaceResult> {
  const target = await createDatabaseAtVersion('sqlite', releasedMigrations.length)
  const expectedRows = await readTableRows(target.db)
  await target.db.close()
  const sourceDir = mkdtempSync(join(tmpdir(), 'keeper-source-'))
  cpSync(target.dataDir, sourceDir, { recursive: true })
  const picture = join(sourceDir, 'media', 'aa', 'a'.repeat(64))
  mkdirSync(dirname(picture), { recursive: true })
  cpSync(join(sourceDir, 'data.db'), picture)
  const backupRun = runScript('scripts/backup.ts', sourceDir)
  const [name = ''] = readdirSync(join(sourceDir, 'backups'))
  if (backupRun.status !== 0) throw new Error(`No backup to restore: ${backupRun.stderr}`)
  const backup = join(sourceDir, 'backups', name)
  const outcome = await repeatWithMoreSpace(target.dataDir, async (dataDir, reportProblem) => {
    const filesBefore = hashFiles(dirname(dataDir))
    const { status, stdout, stderr } = runScript('scripts/restore.ts', dataDir, defect, [backup])
    if (status !== 0) {
      if (!/^The disk is full[^\n]*\n$/.test(stderr)) reportProblem(`printed ${JSON.stringify(stderr.slice(0, 300))}`)
      const filesAfter = hashFiles(dirname(dataDir))
      for (const path of new Set([...filesBefore.keys(), ...filesAfter.keys()]))
        if (filesBefore.get(path) !== filesAfter.get(path)) reportProblem(`${path} has changed`)
      return false
    }
    if (!stdout.includes('is now in')) reportProblem(`printed ${JSON.stringify(stdout.slice(0, 300))}`)
    if (!existsSync(join(dataDir, 'media', 'aa', 'a'.repeat(64)))) reportProblem('the picture is missing')
    const db = await openDatabase({ dataDir })
    for (const text of findLostRows(expectedRows, await readTableRows(db), [])) reportProblem(text)
    await db.close()
    return true
  })
  rmSync(sourceDir, { recursive: true })
  await target.close()
  return outcome
}

async function repeatWithMoreSpace(
  dataDir: string,
  attempt: (dataDir: string, reportProblem: (text: string) => void) => Promise<boolean>,
): Promise<LowSpaceResult> {
  const outcome: LowSpaceResult = { tooSmall: 0, enoughKb: 0, problems: [] }
  for (let spareKb = 0; spareKb <= maxKb && outcome.enoughKb === 0; spareKb += stepKb)
    await runOnSmallDisk(dataDir, spareKb, async (smallDir) => {
      const isEnough = await attempt(smallDir, (text) => outcome.problems.push(`${spareKb} kB: ${text}`))
      if (isEnough) outcome.enoughKb = spareKb
      else outcome.tooSmall++
    })
  return outcome
}

function hashFiles(dataDir: string): Map<string, string> {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'keeper.lock',
  )
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [path.slice(dataDir.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')]
    }),
  )
}

async function runOnSmallDisk(
  dataDir: string,
  spareKb: number,
  work: (dataDir: string) => Promise<void>,
): Promise<void> {
  const usedKb = Number(execFileSync('du', ['-sk', dataDir]).toString().split('\t')[0])
  const disk = mkdtempSync(join(tmpdir(), 'keeper-small-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${usedKb + 16 + spareKb}k`, 'tmpfs', disk])
  try {
    cpSync(dataDir, join(disk, 'data'), { recursive: true })
    await work(join(disk, 'data'))
  } finally {
    execFileSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true })
  }
}

function listUnfinishedBackups(dataDir: string): string[] {
  const folder = join(dataDir, 'backups')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.unfinished')) : []
}

function runScript(script: string, dataDir: string, defect?: Defect, scriptArguments: string[] = []) {
  const { PATH = '', HOME = '' } = process.env
  const planted = defect ? ['--import', createDefectUrl(defect)] : []
  const env = { PATH, HOME, PORT: '0', KEEPER_DATA_DIR: dataDir, KEEPER_LOG_LEVEL: 'error' }
  const child = spawnSync(process.execPath, [...planted, script, ...scriptArguments], {
    cwd: root,
    env,
    timeout: 60_000,
  })
  return { status: child.status, stdout: child.stdout.toString(), stderr: child.stderr.toString() }
}
