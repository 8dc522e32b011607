import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { report } from '../bench/measure.ts'
import { getSqliteFiles } from '../server/db/sqlite-files.ts'
import { startPostgres, withDatabaseName } from '../tests/engines-setup.ts'
import { startProviderFake } from '../tests/fakes/model-providers/start-provider-fake.ts'
import { AcknowledgedWrites } from './faults/acknowledged-writes.ts'
import { openInspector, queryNumber } from './faults/database-inspector.ts'
import type { Defect } from './faults/planted-defect.ts'
import { type ServerOptions, startServer } from './faults/server-process.ts'
import { createLoadWorld, type LoadWorld, type RunningWriters, sendRequest, startWriters } from './faults/writers.ts'

// With dropped connections or a locked SQLite: only successes or 503 with Retry-After, nothing lost, nothing done twice.

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } })
const seconds = Number(values.seconds)
const dataDir = mkdtempSync(join(tmpdir(), 'keeper-dropped-'))
const fake = await startProviderFake({ provider: 'openai', key: 'gate-key', wordDelayMs: 2 })
const environment = { OPENAI_BASE_URL: fake.baseUrl, OPENAI_API_KEY: 'gate-key', KEEPER_LOG_LEVEL: 'silent' }
const postgres = await startPostgres()
let databaseCount = 0

interface DropResult {
  terminatedConnectionCount: number
  statuses: Map<number, number>
  problems: string[]
  acknowledged: number
  lost: string[]
  duplicates: string[]
  recoveredMs: number
  listensAgainMs: number
}

async function measureDrops(defect?: Defect): Promise<DropResult> {
  const name = `gate_${databaseCount++}`
  const admin = await openInspector({ dataDir: '', databaseUrl: postgres.url })
  await admin.rows(`create database ${name}`)
  await admin.close()
  const options: ServerOptions = {
    dataDir: join(dataDir, name),
    databaseUrl: withDatabaseName(postgres.url, name),
    environment,
    ...(defect && { defect }),
  }
  const server = await startServer(options)
  const world = await createLoadWorld(server.address, server.setupToken)
  const inspector = await openInspector(options)
  const writes = new AcknowledgedWrites()
  const writers = startWriters(server.address, world, writes, { shouldRetry: true, pauseMs: 5 })
  const creates = startKeyedCreates(server.address, world)
  let terminatedConnectionCount = 0
  for (const deadline = performance.now() + seconds * 1000; performance.now() < deadline; ) {
    const connections = await inspector.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'keeper' and datname = current_database()`,
    )
    terminatedConnectionCount += connections.length
    await delay(200)
  }
  const stoppedAt = performance.now()
  const recoveredMs = await measureMsUntil(
    async () => (await getHealthStatus(server.address)) === 200 && writers.lastSuccessAt > stoppedAt,
  )
  const listensAgainMs =
    recoveredMs +
    (await measureMsUntil(
      async () =>
        (await queryNumber(
          inspector,
          `select count(*) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
        )) > 0,
    ))
  await delay(1000)
  writers.stop()
  creates.stop()
  await Promise.all([writers.finished, creates.finished])
  const { lost, partial } = await writes.check(inspector, options.dataDir, true)
  const duplicates = await findDuplicates(inspector, creates.names)
  const isUp = server.child.exitCode === null && server.child.signalCode === null
  await inspector.close()
  await server.end('SIGTERM')
  const problems = [...writers.problems, ...creates.problems, ...(isUp ? [] : ['the server ended'])]
  return {
    terminatedConnectionCount,
    statuses: getStatuses(writers),
    problems,
    acknowledged: writes.acknowledgedCount,
    lost: [...lost, ...partial],
    duplicates,
    recoveredMs,
    listensAgainMs,
  }
}

function getStatuses({ statuses }: RunningWriters): Map<number, number> {
  return new Map([...statuses].toSorted())
}

async function getHealthStatus(address: string): Promise<number> {
  return (await sendRequest(address, undefined, 'GET', '/health').catch(() => ({ status: 0 }))).status
}

async function measureMsUntil(condition: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < 20_000 && !(await condition())) await delay(10)
  return performance.now() - startedAt
}

function startKeyedCreates(address: string, { token }: LoadWorld) {
  let isStopped = false
  const names: string[] = []
  const problems: string[] = []
  const createRepeatedly = async (clientNumber: number) => {
    for (let number = 0; !isStopped; number++) {
      const name = `Once ${clientNumber} ${number}`
      names.push(name)
      for (let attempt = 0; attempt < 40; attempt++) {
        const body = { name, purpose: 'once' }
        const { status, text, retryAfter } = await sendRequest(address, token, 'POST', '/api/kip/agents', body, {
          'idempotency-key': name.replaceAll(' ', '-'),
        }).catch(() => ({ status: 0, text: '', retryAfter: '1' }))
        if (status === 200) break
        // 409: still running, or the outcome is unknown and the client must check.
        if (status === 409) break
        if (status !== 503 || retryAfter === null) problems.push(`a create with a key: ${status} ${text.slice(0, 200)}`)
        await delay(50)
      }
    }
  }
  const stop = () => {
    isStopped = true
  }
  const finished = Promise.all([createRepeatedly(0), createRepeatedly(1)])
  return { names, problems, finished, stop }
}

async function findDuplicates(
  inspector: Awaited<ReturnType<typeof openInspector>>,
  names: string[],
): Promise<string[]> {
  const agents = await inspector.rows(
    `select name, count(*) as times from agents where name like 'Once %' group by name having count(*) > 1`,
  )
  const messages = await inspector.rows(
    `select run_id, sender, count(*) as times from messages where run_id is not null group by run_id, sender having count(*) > 1`,
  )
  const unaccountedMicros = await queryNumber(
    inspector,
    `select (select coalesce(sum(micros), 0) from spend_windows where bucket = 'platform')
      - (select coalesce(sum(micros), 0) from budget_holds where bucket = 'platform')
      - (select coalesce(sum(cost_micros), 0) from model_calls where key_source = 'platform')`,
  )
  return [
    ...agents.map(({ name, times }) => `${name} was created ${times} times, of ${names.length} names`),
    ...messages.map(({ run_id, sender, times }) => `${times} messages of the ${sender} in run ${run_id}`),
    ...(unaccountedMicros === 0 ? [] : [`the budget counts ${unaccountedMicros} millionths that the ledger does not`]),
  ]
}

async function measureForeignLock(lockMs: number, defect?: Defect) {
  const options: ServerOptions = {
    dataDir: join(dataDir, `lock-${databaseCount++}`),
    environment,
    ...(defect && { defect }),
  }
  const server = await startServer(options)
  const world = await createLoadWorld(server.address, server.setupToken)
  const writes = new AcknowledgedWrites()
  const writers = startWriters(server.address, world, writes, { shouldRetry: true })
  await delay(300)
  const file = getSqliteFiles(options.dataDir).database
  const locker = spawn(process.execPath, [
    ...['--input-type=module', '-e'],
    `import { DatabaseSync } from 'node:sqlite'
    const database = new DatabaseSync(${JSON.stringify(file)}, { timeout: 5000 })
    database.exec('begin exclusive')
    console.log('locked')
    setTimeout(() => { database.exec('rollback'); database.close() }, ${lockMs})`,
  ])
  await once(locker.stdout, 'data')
  const startedAt = performance.now()
  await once(locker, 'close')
  const lockedMs = performance.now() - startedAt
  const unlockedAt = performance.now()
  const recoveredMs = await measureMsUntil(async () => writers.lastSuccessAt > unlockedAt)
  writers.stop()
  await writers.finished
  const inspector = await openInspector(options)
  const { lost, partial } = await writes.check(inspector, options.dataDir, true)
  await inspector.close()
  await server.end('SIGTERM')
  return {
    lockedMs,
    recoveredMs,
    lost: [...lost, ...partial],
    problems: writers.problems,
    statuses: getStatuses(writers),
    acknowledged: writes.acknowledgedCount,
  }
}

const formatStatuses = (statuses: Map<number, number>) =>
  [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')
const printLines = (lines: string[]) => {
  for (const line of lines.slice(0, 20)) console.log(`  ${line}`)
}

const dropResult = await measureDrops()
printLines([...dropResult.problems, ...dropResult.lost, ...dropResult.duplicates])
report(
  `PostgreSQL connections ended every 200 ms for ${seconds} s: only good answers or 503 with Retry-After`,
  `${dropResult.problems.length} others; ${formatStatuses(dropResult.statuses)}; ${dropResult.terminatedConnectionCount} connections ended`,
  '0',
  dropResult.problems.length === 0 && dropResult.terminatedConnectionCount > seconds,
)
report(
  'PostgreSQL connections ended: nothing acknowledged lost, nothing done twice',
  `${dropResult.lost.length} lost of ${dropResult.acknowledged}, ${dropResult.duplicates.length} twice`,
  '0, 0',
  dropResult.lost.length + dropResult.duplicates.length === 0 && dropResult.acknowledged > seconds,
)
report(
  'PostgreSQL connections ended: recovered after the last',
  `answers after ${dropResult.recoveredMs.toFixed(0)} ms, listens after ${dropResult.listensAgainMs.toFixed(0)} ms`,
  '2,000 ms',
  dropResult.listensAgainMs <= 2000,
)

const lockResult = await measureForeignLock(6000)
printLines([...lockResult.problems, ...lockResult.lost])
report(
  'SQLite locked by another process for 6 s: waits or 503, never 500',
  `${lockResult.problems.length} others, ${lockResult.lost.length} lost of ${lockResult.acknowledged}; ${formatStatuses(lockResult.statuses)}; again after ${lockResult.recoveredMs.toFixed(0)} ms`,
  '0, 0, 2,000 ms',
  lockResult.problems.length + lockResult.lost.length === 0 &&
    lockResult.recoveredMs <= 2000 &&
    lockResult.lockedMs > 5500,
)

const misreportedLoss = await measureDrops({
  file: 'server/db/postgres-failures.ts',
  from: 'if (isConnectionError(failure))',
  to: 'if (false)',
})
report(
  'control: a lost connection reported as a failed statement',
  `${misreportedLoss.problems.length} responses that are neither successful nor 503`,
  'must be noticed',
  misreportedLoss.problems.length > 0,
)
const misreportedLock = await measureForeignLock(6000, {
  file: 'server/db/sqlite-failures.ts',
  from: 'case SQLITE_BUSY:',
  to: 'case -1:',
})
report(
  'control: a lock reported as a failed statement',
  `${misreportedLock.problems.length} responses that are neither successful nor 503`,
  'must be noticed',
  misreportedLock.problems.length > 0,
)
await fake.close()
await postgres.stop()
rmSync(dataDir, { recursive: true })
