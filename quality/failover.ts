import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { report } from '../bench/measure.ts'
import { startPostgres, withDatabaseName } from '../tests/engines-setup.ts'
import { startProviderFake } from '../tests/fakes/model-providers/start-provider-fake.ts'
import { AcknowledgedWrites } from './faults/acknowledged-writes.ts'
import { openInspector } from './faults/database-inspector.ts'
import type { Defect } from './faults/planted-defect.ts'
import { startServer } from './faults/server-process.ts'
import { createLoadWorld, sendRequest, startWriters } from './faults/writers.ts'

// A database that becomes read-only and writable again, as in a failover: 503 until then, and every write works 5 s later.

const readOnlyMs = 6_000
const recoveryMs = 5_000
const dataDir = mkdtempSync(join(tmpdir(), 'keeper-failover-'))
const fake = await startProviderFake({ provider: 'openai', key: 'gate-key', wordDelayMs: 2 })
const postgres = await startPostgres()

async function measure(name: string, defect?: Defect) {
  const admin = await openInspector({ dataDir: '', databaseUrl: postgres.url })
  await admin.rows(`create database ${name}`)
  const databaseUrl = withDatabaseName(postgres.url, name)
  const server = await startServer({
    dataDir: join(dataDir, name),
    databaseUrl,
    environment: { OPENAI_BASE_URL: fake.baseUrl, OPENAI_API_KEY: 'gate-key' },
    ...(defect && { defect }),
  })
  const world = await createLoadWorld(server.address, server.setupToken)
  const writes = new AcknowledgedWrites()
  const start = () => startWriters(server.address, world, writes, { shouldRetry: true, pauseMs: 10 })
  const writers = start()
  await delay(2_000)
  await admin.rows(`alter database ${name} set default_transaction_read_only = on`)
  await admin.rows(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await delay(readOnlyMs)
  const health = (await sendRequest(server.address, undefined, 'GET', '/health')).status
  await admin.rows(`alter database ${name} reset default_transaction_read_only`)
  await delay(recoveryMs)
  writers.stop()
  await writers.finished
  const laterWriters = start()
  await delay(5_000)
  laterWriters.stop()
  await laterWriters.finished
  const healthAfter = (await sendRequest(server.address, undefined, 'GET', '/health')).status
  const inspector = await openInspector({ dataDir: '', databaseUrl })
  const { lost, partial } = await writes.check(inspector, join(dataDir, name), true)
  await inspector.close()
  await server.end('SIGTERM')
  await admin.close()
  const failedLater = [...laterWriters.statuses].reduce(
    (total, [status, count]) => total + (status === 200 ? 0 : count),
    0,
  )
  return {
    healthStatuses: [health, healthAfter],
    statuses: writers.statuses,
    problems: [...writers.problems, ...laterWriters.problems],
    writtenLater: laterWriters.statuses.get(200) ?? 0,
    failedLater,
    lost: [...lost, ...partial],
  }
}

const result = await measure('gate')
for (const line of [...result.problems, ...result.lost].slice(0, 20)) console.log(`  ${line}`)
report(
  'PostgreSQL read-only for 6 s: 503 with Retry-After, health reports it, and every write works 5 s after its return',
  `${result.problems.length} others; ${[...result.statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}; health ${result.healthStatuses.join(' then ')}; later ${result.failedLater} of ${result.writtenLater} failed; ${result.lost.length} lost`,
  '0 others; health 503 then 200; 0 failed; 0 lost',
  result.problems.length + result.failedLater + result.lost.length === 0 &&
    result.writtenLater > 0 &&
    result.healthStatuses.join() === '503,200',
)
const control = await measure('control', {
  file: 'server/db/postgres-failures.ts',
  from: "'25P04', readOnlyCode]",
  to: "'25P04']",
})
report(
  'control: a read-only database reported as a failed statement is found',
  `${control.problems.length} other answers`,
  'at least 1',
  control.problems.length > 0,
)
await postgres.stop()
rmSync(dataDir, { recursive: true, force: true })
process.exit()
