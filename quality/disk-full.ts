import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { report } from '../bench/measure.ts'
import { getSqliteFiles } from '../server/db/sqlite-files.ts'
import { hashToken } from '../server/values/token.ts'
import { startEnginesWithoutRunner } from '../tests/engines.ts'
import { startProviderFake } from '../tests/fakes/model-providers/start-provider-fake.ts'
import {
  backUpWithLowSpace,
  type LowSpaceResult,
  restoreWithLowSpace,
  upgradeWithLowSpace,
} from './disk-full/low-space.ts'
import { AcknowledgedWrites } from './faults/acknowledged-writes.ts'
import { openInspector, queryNumber } from './faults/database-inspector.ts'
import type { Defect } from './faults/planted-defect.ts'
import { startServer } from './faults/server-process.ts'
import { createLoadWorld, requireData, sendRequest, startWriters } from './faults/writers.ts'

// With a full disk, writes get 507, nothing acknowledged is lost, and all recovers with space. Needs root for a small tmpfs.

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-full-'))
const disk = join(dataDir, 'disk')
const fake = await startProviderFake({ provider: 'openai', key: 'gate-key', wordDelayMs: 20 })
const environment = { OPENAI_BASE_URL: fake.baseUrl, OPENAI_API_KEY: 'gate-key' }

interface FullDiskResult {
  statuses: Map<number, number>
  acknowledged: number
  lost: string[]
  problems: string[]
  readStatuses: Map<number, number>
  uploadStatus: number
  healthStatus: number
  runsLeft: number
  unaccountedMicros: number
  log: string[]
  stderr: string
  isAlive: boolean
  recoveredMs: number
  exit: unknown
}

async function runWithFullDisk(defect?: Defect): Promise<FullDiskResult> {
  execFileSync('mkdir', ['-p', disk])
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk])
  try {
    return await runOnMountedDisk(defect)
  } finally {
    execFileSync('umount', ['-l', disk])
  }
}

async function runOnMountedDisk(defect?: Defect): Promise<FullDiskResult> {
  const options = { dataDir: join(disk, 'data'), environment, ...(defect && { defect }) }
  const server = await startServer(options)
  const world = await createLoadWorld(server.address, server.setupToken)
  const readers = await createOldSessions(server.address, options.dataDir)
  const writes = new AcknowledgedWrites()
  const writers = startWriters(server.address, world, writes, { shouldRetry: true, pauseMs: 5 })
  await delay(1500)
  const filler = fillDisk(join(disk, 'filler'))
  const readStatuses = new Map<number, number>()
  const countStatus = (status: number) => readStatuses.set(status, (readStatuses.get(status) ?? 0) + 1)
  for (let read = 0; read < 40; read++) {
    for (const path of [`/api/keeper/keepers/${world.keeperId}/moments`, '/api/kip/agents', '/api/board-data'])
      countStatus((await sendRequest(server.address, world.token, 'GET', path)).status)
    const reader = read < 20 ? undefined : readers.pop()
    if (reader) countStatus((await sendRequest(server.address, reader, 'GET', '/api/kip/agents')).status)
    await delay(50)
    filler.grow()
  }
  const picture = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), randomBytes(200_000)])
  const health = await sendRequest(server.address, undefined, 'GET', '/health')
  const upload = await sendRequest(
    server.address,
    world.token,
    'POST',
    `/api/keeper/keepers/${world.keeperId}/media`,
    picture,
  )
  const statuses = new Map(writers.statuses)
  rmSync(join(disk, 'filler'))
  filler.close()
  const freedAt = performance.now()
  while (performance.now() - freedAt < 20_000 && writers.lastSuccessAt < freedAt) await delay(10)
  const recoveredMs = performance.now() - freedAt
  await delay(1000)
  writers.stop()
  await writers.finished
  // A run that couldn't store its end is closed when its lease expires.
  const inspector = await openInspector(options)
  const running = `select count(*) from runs where status = 'running'`
  // Reservations of runs that failed to start are released some seconds later.
  const unsettled = `select (${running}) + (select count(*) from budget_holds)`
  for (const deadline = Date.now() + 50_000; Date.now() < deadline && (await queryNumber(inspector, unsettled)) > 0; )
    await delay(500)
  const { lost, partial } = await writes.check(inspector, options.dataDir, true)
  const [row] = await inspector.rows('pragma integrity_check')
  if (row?.integrity_check !== 'ok') lost.push(`integrity_check says ${row?.integrity_check}`)
  const runsLeft = await queryNumber(inspector, running)
  const unaccountedMicros = await queryNumber(
    inspector,
    `select (select coalesce(sum(micros), 0) from spend_windows where bucket = 'platform')
      - (select coalesce(sum(cost_micros), 0) from model_calls where key_source = 'platform')`,
  )
  await inspector.close()
  const isAlive = server.child.exitCode === null && server.child.signalCode === null
  const exit = await server.end('SIGTERM')
  return {
    statuses,
    acknowledged: writes.acknowledgedCount,
    lost: [...lost, ...partial],
    problems: writers.problems,
    readStatuses,
    uploadStatus: upload.status,
    healthStatus: health.status,
    runsLeft,
    unaccountedMicros,
    log: server
      .stdout()
      .split('\n')
      .filter((line) => line.includes('"level"')),
    stderr: server.stderr(),
    isAlive,
    recoveredMs,
    exit,
  }
}

/** Sessions last used an hour ago, so that even a read writes: the time of last use. */
async function createOldSessions(address: string, dataDir: string): Promise<string[]> {
  const tokens: string[] = []
  const body = { email: 'reader@keeper.example', password: 'a-gates-password-5' }
  for (const action of ['register', 'login', 'login', 'login'])
    tokens.push(
      requireData<{ token: string }>(await sendRequest(address, undefined, 'POST', `/api/kam/auth/${action}`, body))
        .token,
    )
  const database = new DatabaseSync(getSqliteFiles(dataDir).database, { timeout: 10_000 })
  const ageSession = database.prepare('update sessions set last_seen_at = last_seen_at - ? where token_hash = ?')
  for (const token of tokens) ageSession.run(60 * 60 * 1000, hashToken(token))
  database.close()
  return tokens
}

function fillDisk(file: string): { grow(): void; close(): void } {
  const descriptor = openSync(file, 'w')
  const chunks = [Buffer.alloc(256 * 1024), Buffer.alloc(4096)]
  const grow = () => {
    for (const chunk of chunks)
      for (;;)
        try {
          if (writeSync(descriptor, chunk) < chunk.length) break
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
          break
        }
  }
  grow()
  return { grow, close: () => closeSync(descriptor) }
}

const formatStatuses = (statuses: Map<number, number>) =>
  [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')
const printLines = (lines: string[]) => {
  for (const line of lines.slice(0, 20)) console.log(`  ${line.slice(0, 400)}`)
}

const promise = 'a full disk'
if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  report(
    promise,
    'not measured: mounting a small disk needs root on Linux (sudo npm run gates disk-full)',
    '507',
    false,
  )
} else {
  const fullDisk = await runWithFullDisk()
  printLines([...fullDisk.problems, ...fullDisk.lost])
  const diskFullLines = fullDisk.log.filter((line) => /disk is full/.test(line))
  const otherLines = [
    ...fullDisk.log.filter((line) => !/disk is full/.test(line)),
    ...(fullDisk.stderr ? [fullDisk.stderr] : []),
  ]
  printLines(otherLines)
  report(
    `${promise}: writes and uploads are refused with 507, and nothing else fails`,
    `${formatStatuses(fullDisk.statuses)}; upload ${fullDisk.uploadStatus}; ${fullDisk.problems.length} other refusals`,
    '507 only',
    (fullDisk.statuses.get(507) ?? 0) > 50 && fullDisk.uploadStatus === 507 && fullDisk.problems.length === 0,
  )
  report(
    `${promise}: reads work, and /health reports a problem`,
    `${formatStatuses(fullDisk.readStatuses)}; /health ${fullDisk.healthStatus}`,
    'every one 200; 503',
    fullDisk.readStatuses.size === 1 && fullDisk.readStatuses.has(200) && fullDisk.healthStatus === 503,
  )
  report(
    `${promise}: nothing acknowledged lost, no run stuck, the budget agrees with the ledger`,
    `${fullDisk.lost.length} lost of ${fullDisk.acknowledged}, ${fullDisk.runsLeft} running, ${fullDisk.unaccountedMicros} millionths apart`,
    '0, 0, 0',
    fullDisk.lost.length + fullDisk.runsLeft === 0 && fullDisk.unaccountedMicros === 0,
  )
  report(
    `${promise}: stays alive, recovers once there is space, ends cleanly`,
    `${fullDisk.isAlive ? 'alive' : 'dead'}, again after ${fullDisk.recoveredMs.toFixed(0)} ms, exit ${fullDisk.exit}`,
    'alive, 2,000 ms, exit 0',
    fullDisk.isAlive && fullDisk.recoveredMs <= 2000 && fullDisk.exit === 0,
  )
  report(
    `${promise}: the log reports it, but not for each write`,
    `${diskFullLines.length} lines that say so, ${otherLines.length} others`,
    '1 to 20, 0 others',
    diskFullLines.length >= 1 && diskFullLines.length <= 20 && otherLines.length === 0,
  )
  // Hourly maintenance, sped up so that it happens while the disk is full.
  const maintenance = await runWithFullDisk({ file: 'server/db/serve-writes.ts', from: ' = hourMs', to: ' = 300' })
  printLines([...maintenance.problems, ...maintenance.lost, ...(maintenance.stderr ? [maintenance.stderr] : [])])
  report(
    `${promise}: failed maintenance doesn't stop the writer`,
    `${formatStatuses(maintenance.statuses)}; ${maintenance.isAlive ? 'alive' : 'dead'}, again after ${maintenance.recoveredMs.toFixed(0)} ms, exit ${maintenance.exit}, ${maintenance.lost.length} lost of ${maintenance.acknowledged}`,
    '507, alive, 2,000 ms, exit 0, 0 lost',
    (maintenance.statuses.get(507) ?? 0) > 50 &&
      maintenance.problems.length + maintenance.lost.length === 0 &&
      maintenance.isAlive &&
      maintenance.recoveredMs <= 2000 &&
      maintenance.exit === 0,
  )
  const control = await runWithFullDisk({
    file: 'server/db/sqlite-failures.ts',
    from: 'case SQLITE_FULL:',
    to: 'case -1:',
  })
  report(
    'control: a full disk reported as a failed statement',
    `${control.problems.length} responses other than 507`,
    'must be noticed',
    control.problems.length > 0,
  )
  const stopEngines = await startEnginesWithoutRunner()
  const reportAtEverySize = (name: string, { problems, tooSmall, enoughKb }: LowSpaceResult) =>
    report(
      name,
      problems.length > 0
        ? problems.slice(0, 3).join('; ')
        : `${tooSmall} sizes too small; enough with ${enoughKb} kB more`,
      'at every size',
      problems.length === 0 && tooSmall > 3 && enoughKb > 0,
    )
  const reportControl = (suffix: string, name: string, { problems }: LowSpaceResult) =>
    report(
      `control: ${name}`,
      problems[0] ?? 'nothing noticed',
      'must be noticed',
      problems.some((text) => text.endsWith(suffix)),
    )
  reportAtEverySize(
    'an upgrade without enough space reports it in one line, loses nothing, leaves no partial backup and finishes at the next start',
    await upgradeWithLowSpace(),
  )
  reportAtEverySize(
    'a backup without enough space reports it in one line and leaves nothing behind',
    await backUpWithLowSpace(),
  )
  reportAtEverySize(
    "a restore without enough space reports it in one line and doesn't change a byte",
    await restoreWithLowSpace(),
  )
  reportControl(
    'has changed',
    'a restore that leaves unfinished files',
    await restoreWithLowSpace({
      file: 'server/db/restore.ts',
      from: 'await rm(stagingDir, { recursive: true, force: true })',
      to: 'void 0',
    }),
  )
  reportControl(
    'was left behind',
    'an upgrade that leaves a partial backup',
    await upgradeWithLowSpace({
      file: 'server/db/backup.ts',
      from: 'await rm(unfinished, { force: true })',
      to: 'void 0',
    }),
  )
  await stopEngines()
}
await fake.close()
rmSync(dataDir, { recursive: true, force: true })
