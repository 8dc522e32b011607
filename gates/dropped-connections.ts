import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sqliteFiles } from '#server/db/sqlite-files.ts'
import { startPostgres, withDatabaseName } from '#tests/engines-setup.ts'
import { startProviderFake } from '#tests/fakes/model-providers/start-provider-fake.ts'
import { report } from '../bench/measure.ts'
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
let databases = 0

interface Dropped {
  endedConnections: number
  statuses: Map<number, number>
  wrong: string[]
  acknowledged: number
  lost: string[]
  duplicates: string[]
  recoveredMs: number
  listensAgainMs: number
}

async function drop(defect?: Defect): Promise<Dropped> {
  const name = `gate_${databases++}`
  const admin = await openInspector({ dataDir: '', databaseUrl: postgres.url })
  await admin.rows(`create database ${name}`)
  await admin.close()
  const options: ServerOptions = {
    ...{ dataDir: join(dataDir, name), databaseUrl: withDatabaseName(postgres.url, name), environment },
    ...(defect && { defect }),
  }
  const server = await startServer(options)
  const world = await createLoadWorld(server.address, server.setupToken)
  const inspector = await openInspector(options)
  const book = new AcknowledgedWrites()
  const writers = startWriters(server.address, world, book, { goOn: true, pauseMs: 5 })
  const creates = startKeyedCreates(server.address, world)
  let closedConnections = 0
  for (const until = performance.now() + seconds * 1000; performance.now() < until; ) {
    const connections = await inspector.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'keeper' and datname = current_database()`,
    )
    closedConnections += connections.length
    await later(200)
  }
  const stopped = performance.now()
  const recoveredMs = await millisecondsUntil(
    async () => (await health(server.address)) === 200 && writers.lastGood > stopped,
  )
  const listensAgainMs =
    recoveredMs +
    (await millisecondsUntil(
      async () =>
        (await queryNumber(
          inspector,
          `select count(*) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
        )) > 0,
    ))
  await later(1000)
  writers.stop()
  creates.stop()
  await Promise.all([writers.ended, creates.ended])
  const { lost, half } = await book.check(inspector, options.dataDir, true)
  const duplicates = await findDuplicates(inspector, creates.names)
  const isUp = server.child.exitCode === null && server.child.signalCode === null
  await inspector.close()
  await server.end('SIGTERM')
  const wrong = [...writers.wrong, ...creates.wrong, ...(isUp ? [] : ['the server ended'])]
  return {
    ...{ endedConnections: closedConnections, statuses: getStatuses(writers), wrong, acknowledged: book.acknowledged },
    ...{ lost: [...lost, ...half], duplicates, recoveredMs, listensAgainMs },
  }
}

function getStatuses({ statuses }: RunningWriters): Map<number, number> {
  return new Map([...statuses].toSorted())
}

async function health(address: string): Promise<number> {
  return (await sendRequest(address, undefined, 'GET', '/health').catch(() => ({ status: 0 }))).status
}

async function millisecondsUntil(condition: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < 20_000 && !(await condition())) await later(10)
  return performance.now() - startedAt
}

function startKeyedCreates(address: string, { token }: LoadWorld) {
  let stopped = false
  const names: string[] = []
  const wrong: string[] = []
  const maker = async (clientNumber: number) => {
    for (let number = 0; !stopped; number++) {
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
        if (status !== 503 || retryAfter === null) wrong.push(`a create with a key: ${status} ${text.slice(0, 200)}`)
        await later(50)
      }
    }
  }
  const stop = () => {
    stopped = true
  }
  const done = Promise.all([maker(0), maker(1)])
  return { names, wrong, ended: done, stop }
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
  const money = await queryNumber(
    inspector,
    `select (select coalesce(sum(micros), 0) from spend_windows where bucket = 'platform')
      - (select coalesce(sum(micros), 0) from budget_holds where bucket = 'platform')
      - (select coalesce(sum(cost_micros), 0) from model_calls where key_source = 'platform')`,
  )
  return [
    ...agents.map(({ name, times }) => `${name} was made ${times} times, of ${names.length} names`),
    ...messages.map(({ run_id, sender, times }) => `${times} messages of the ${sender} in run ${run_id}`),
    ...(money === 0 ? [] : [`the budget counts ${money} millionths that the ledger does not`]),
  ]
}

async function foreignLock(lockMs: number, defect?: Defect) {
  const options: ServerOptions = {
    dataDir: join(dataDir, `lock-${databases++}`),
    environment,
    ...(defect && { defect }),
  }
  const server = await startServer(options)
  const world = await createLoadWorld(server.address, server.setupToken)
  const book = new AcknowledgedWrites()
  const writers = startWriters(server.address, world, book, { goOn: true })
  await later(300)
  const file = sqliteFiles(options.dataDir).database
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
  const freed = performance.now()
  const recoveredMs = await millisecondsUntil(async () => writers.lastGood > freed)
  writers.stop()
  await writers.ended
  const inspector = await openInspector(options)
  const { lost, half } = await book.check(inspector, options.dataDir, true)
  await inspector.close()
  await server.end('SIGTERM')
  return {
    lockedMs,
    recoveredMs,
    lost: [...lost, ...half],
    wrong: writers.wrong,
    statuses: getStatuses(writers),
    acknowledged: book.acknowledged,
  }
}

const formatStatuses = (statuses: Map<number, number>) =>
  [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')
const printLines = (lines: string[]) => {
  for (const line of lines.slice(0, 20)) console.log(`  ${line}`)
}

const dropped = await drop()
printLines([...dropped.wrong, ...dropped.lost, ...dropped.duplicates])
report(
  `PostgreSQL connections ended every 200 ms for ${seconds} s: only good answers or 503 with Retry-After`,
  `${dropped.wrong.length} others; ${formatStatuses(dropped.statuses)}; ${dropped.endedConnections} connections ended`,
  '0',
  dropped.wrong.length === 0 && dropped.endedConnections > seconds,
)
report(
  'PostgreSQL connections ended: nothing acknowledged lost, nothing done twice',
  `${dropped.lost.length} lost of ${dropped.acknowledged}, ${dropped.duplicates.length} twice`,
  '0, 0',
  dropped.lost.length + dropped.duplicates.length === 0 && dropped.acknowledged > seconds,
)
report(
  'PostgreSQL connections ended: recovered after the last',
  `answers after ${dropped.recoveredMs.toFixed(0)} ms, listens after ${dropped.listensAgainMs.toFixed(0)} ms`,
  '2,000 ms',
  dropped.listensAgainMs <= 2000,
)

const locked = await foreignLock(6000)
printLines([...locked.wrong, ...locked.lost])
report(
  'SQLite locked by another process for 6 s: waits or 503, never 500',
  `${locked.wrong.length} others, ${locked.lost.length} lost of ${locked.acknowledged}; ${formatStatuses(locked.statuses)}; again after ${locked.recoveredMs.toFixed(0)} ms`,
  '0, 0, 2,000 ms',
  locked.wrong.length + locked.lost.length === 0 && locked.recoveredMs <= 2000 && locked.lockedMs > 5500,
)

const misreportedLoss = await drop({
  file: 'server/db/postgres-failures.ts',
  from: 'if (isConnectionError(failure))',
  to: 'if (false)',
})
report(
  'control: a lost connection reported as a failed statement',
  `${misreportedLoss.wrong.length} responses that are neither successful nor 503`,
  'must be noticed',
  misreportedLoss.wrong.length > 0,
)
const impatient = await foreignLock(6000, {
  file: 'server/db/sqlite-failures.ts',
  from: 'case SQLITE_BUSY:',
  to: 'case -1:',
})
report(
  'control: a lock reported as a failed statement',
  `${impatient.wrong.length} responses that are neither successful nor 503`,
  'must be noticed',
  impatient.wrong.length > 0,
)
await fake.close()
await postgres.stop()
rmSync(dataDir, { recursive: true })
