import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { report } from '../bench/measure.ts'
import { startPostgres, withDatabaseName } from '../tests/engines-setup.ts'
import { startProviderFake } from '../tests/fakes/model-providers/start-provider-fake.ts'
import { findFreePort } from '../tests/find-free-port.ts'
import { AcknowledgedWrites } from './faults/acknowledged-writes.ts'
import { openInspector, queryNumber } from './faults/database-inspector.ts'
import type { Defect } from './faults/planted-defect.ts'
import { startServer } from './faults/server-process.ts'
import { createLoadWorld, startWriters } from './faults/writers.ts'

// Through PgBouncer in transaction mode with other traffic: two servers start and write, and no lock is left.

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } })
const promise = 'PostgreSQL through PgBouncer in transaction mode: two starts with traffic'
if (spawnSync('pgbouncer', ['--version']).error) {
  report(promise, 'not measured: pgbouncer is missing (Debian: apt-get install pgbouncer)', 'installed', false)
  process.exit()
}

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-pooler-'))
const fake = await startProviderFake({ provider: 'openai', key: 'gate-key', wordDelayMs: 2 })
const postgres = await startPostgres()
const pooler = await startPgBouncer(postgres.url)
const countLocksQuery = `select count(*) from pg_locks where locktype = 'advisory'
  and database = (select oid from pg_database where datname = current_database())`

async function startPgBouncer(url: string): Promise<{ port: number; child: ChildProcess }> {
  const { hostname, port: serverPort, username, password } = new URL(url)
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'keeper-pgbouncer-'))
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${password}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${join(folder, 'users.txt')}`,
      'pool_mode = transaction',
      'default_pool_size = 5',
    ].join('\n'),
  )
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...user, '-q', join(folder, 'pgbouncer.ini')], { stdio: 'inherit' })
  process.once('exit', () => child.kill())
  await delay(1_000)
  return { port, child }
}

async function measure(name: string, defect?: Defect) {
  const admin = await openInspector({ dataDir: '', databaseUrl: postgres.url })
  await admin.rows(`create database ${name}`)
  await admin.close()
  const directUrl = withDatabaseName(postgres.url, name)
  const pooledUrl = new URL(directUrl)
  pooledUrl.port = String(pooler.port)
  const traffic = new pg.Pool({ connectionString: pooledUrl.href, max: 4 })
  let isTrafficStopped = false
  const trafficWorkers = Array.from({ length: 4 }, async () => {
    while (!isTrafficStopped) await traffic.query('select pg_sleep(0.005)')
  })
  const inspector = await openInspector({ dataDir: '', databaseUrl: directUrl })
  const createOptions = (environment: Record<string, string>) => ({
    dataDir: join(dataDir, name),
    databaseUrl: pooledUrl.href,
    environment: { OPENAI_BASE_URL: fake.baseUrl, OPENAI_API_KEY: 'gate-key', ...environment },
    ...(defect && { defect }),
  })
  const startWithoutDirectUrl = await startServer(createOptions({})).then(
    () => 'started',
    (error: Error) => error.message,
  )
  const environment = { DATABASE_DIRECT_URL: directUrl }
  const servers = await Promise.all([1, 2].map(() => startServer(createOptions(environment))))
  const locksAfterStart = await queryNumber(inspector, countLocksQuery)
  const listenerCount = await queryNumber(
    inspector,
    `select count(*) from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
  )
  const setupToken = servers.find((server) => server.setupToken)?.setupToken
  const [first, second] = servers
  const world = await createLoadWorld(first!.address, setupToken).catch(() =>
    createLoadWorld(second!.address, second!.setupToken),
  )
  const writes = new AcknowledgedWrites()
  const writers = servers.map((server) => startWriters(server.address, world, writes, { pauseMs: 20 }))
  await delay(Number(values.seconds) * 1000)
  for (const { stop } of writers) stop()
  await Promise.all(writers.map(({ finished }) => finished))
  const { lost, partial } = await writes.check(inspector, join(dataDir, name), true)
  for (const server of servers) await server.end('SIGTERM')
  const locksAfterStop = await queryNumber(inspector, countLocksQuery)
  isTrafficStopped = true
  await Promise.all(trafficWorkers)
  await traffic.end()
  await inspector.close()
  const statuses = new Map<number, number>()
  for (const writer of writers)
    for (const [status, count] of writer.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
  return {
    startWithoutDirectUrl,
    lockCounts: [locksAfterStart, locksAfterStop],
    listenerCount,
    statuses,
    problems: writers.flatMap(({ problems }) => problems),
    lost: [...lost, ...partial],
  }
}

const result = await measure('gate')
for (const line of [...result.problems, ...result.lost].slice(0, 20)) console.log(`  ${line}`)
const isRefused = result.startWithoutDirectUrl.includes('leads to a pooler in transaction mode')
report(
  promise,
  `${[...result.statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}; ${result.problems.length} wrong, ${result.lost.length} lost; ${result.listenerCount} listen; advisory locks ${result.lockCounts.join(' and ')}; without a direct address ${isRefused ? 'refused' : result.startWithoutDirectUrl}`,
  'only 200, 0, 0; 2; 0 and 0; refused',
  result.problems.length + result.lost.length === 0 &&
    [...result.statuses.keys()].every((status) => status === 200) &&
    result.listenerCount === 2 &&
    result.lockCounts.every((count) => count === 0) &&
    isRefused,
)
const control = await measure('control', {
  file: 'server/db/migration-lock.ts',
  from: 'pg_try_advisory_xact_lock',
  to: 'pg_try_advisory_lock',
})
report(
  'control: a lock of the session instead of the transaction is found',
  `${control.lockCounts[0]} left after the starts`,
  'at least 1',
  (control.lockCounts[0] ?? 0) > 0,
)
pooler.child.kill()
await postgres.stop()
rmSync(dataDir, { recursive: true, force: true })
process.exit()
