import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { report } from '../bench/measure.ts'
import { startPostgres, withDatabaseName } from '../tests/engines-setup.ts'
import { startProviderFake } from '../tests/fakes/model-providers/start-provider-fake.ts'
import { startSlowCreate } from '../tests/slow-create.ts'
import { AcknowledgedWrites } from './faults/acknowledged-writes.ts'
import { openInspector } from './faults/database-inspector.ts'
import type { Defect } from './faults/planted-defect.ts'
import { type ServerOptions, startServer } from './faults/server-process.ts'
import { createLoadWorld, type LoadWorld, sendRequest } from './faults/writers.ts'

// SIGTERM under load refuses new requests, ends or marks streams within 30 s with one row each, and exits with 0. A second one ends it.

const { values } = parseArgs({
  options: { streams: { type: 'string', default: '50' }, rate: { type: 'string', default: '200' } },
})
const [streamCount, createsPerSecond] = [Number(values.streams), Number(values.rate)]
const dataDir = mkdtempSync(join(tmpdir(), 'keeper-stop-'))
const fake = await startProviderFake({
  provider: 'openai',
  key: 'gate-key',
  wordDelayMs: 100,
  answer: () => 'The harbour says that one small step follows another. '.repeat(4),
})
const environment = { OPENAI_BASE_URL: fake.baseUrl, OPENAI_API_KEY: 'gate-key' }
const postgres = await startPostgres()
const slowCreateCount = 40
let databaseCount = 0

async function createServerOptions(engine: 'sqlite' | 'postgres', defect?: Defect): Promise<ServerOptions> {
  const name = `gate_${databaseCount++}`
  const options = { dataDir: join(dataDir, name), environment, ...(defect && { defect }) }
  if (engine === 'sqlite') return options
  const admin = await openInspector({ dataDir: '', databaseUrl: postgres.url })
  await admin.rows(`create database ${name}`)
  await admin.close()
  return { ...options, databaseUrl: withDatabaseName(postgres.url, name) }
}

async function readStream(address: string, { token, agentId }: LoadWorld, input: string) {
  const answer = await fetch(`${address}/api/kip/agents`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ action: 'run', agentId, input }),
  })
  const text = await answer.text().catch(() => 'cut')
  return {
    runId: /"run_id":"(\w+)"/.exec(text)?.[1],
    terminalEventCount: [...text.matchAll(/^event: (done|error)$/gm)].length,
  }
}

async function stopUnderLoad(engine: 'sqlite' | 'postgres', defect?: Defect) {
  const options = await createServerOptions(engine, defect)
  const server = await startServer(options)
  const world = await createLoadWorld(server.address, server.setupToken)
  // Two people, because each can follow only a limited number of streams.
  const followers = [world, await createLoadWorld(server.address, undefined)]
  const writes = new AcknowledgedWrites()
  let [stoppedAt, lateSuccesses, refused, connectionErrors, requests] = [Number.POSITIVE_INFINITY, 0, 0, 0, 0]
  const problems: string[] = []
  const createAgent = async () => {
    const slug = `stop-${randomBytes(8).toString('hex')}`
    const startedAt = performance.now()
    requests++
    writes.start('agent', slug, 'p')
    try {
      const answer = await sendRequest(server.address, world.token, 'POST', '/api/kip/agents', {
        name: 'S',
        slug,
        purpose: 'p',
      })
      if (answer.status === 200) {
        writes.confirm('agent', slug, 'p')
        if (startedAt > stoppedAt + 100) lateSuccesses++
      } else if (answer.status === 503 && answer.retryAfter !== null) refused++
      else problems.push(`${answer.status} ${answer.text.slice(0, 200)}`)
    } catch {
      connectionErrors++
    }
  }
  const events = await fetch(`${server.address}/api/events`, { headers: { authorization: `Bearer ${world.token}` } })
  const eventsDone = events.text().then(
    () => 'ended',
    () => 'cut',
  )
  const requestsBefore = fake.requests.length
  // Every tenth provider hangs mid-stream, so its run can only be marked interrupted.
  const reading = Array.from({ length: streamCount }, (_, index) =>
    readStream(
      server.address,
      followers[index % followers.length] ?? world,
      index % 10 === 0 ? 'Say [[fault:silent-mid]]' : 'Say',
    ),
  )
  while (fake.requests.length < requestsBefore + streamCount) await delay(20)
  const creates: Promise<void>[] = []
  const loadTimer = setInterval(() => {
    for (let batchIndex = 0; batchIndex < createsPerSecond / 50; batchIndex++) creates.push(createAgent())
  }, 20)
  await delay(1500)
  server.child.kill('SIGTERM')
  stoppedAt = performance.now()
  const exit = await server.exited
  const exitMs = performance.now() - stoppedAt
  clearInterval(loadTimer)
  await Promise.all(creates)
  const streamResults = await Promise.all(reading)
  await eventsDone

  const restarted = await startServer({ ...options, ...(defect && { defect }) })
  const inspector = await openInspector(options)
  const rows = await inspector.rows('select id, status from runs')
  const { lost } = await writes.check(inspector, options.dataDir, true)
  await inspector.close()
  const reconnected = await fetch(`${restarted.address}/api/events`, {
    headers: { authorization: `Bearer ${world.token}` },
  })
  await reconnected.body?.cancel()
  await restarted.end('SIGTERM')
  const ids = streamResults.map(({ runId }) => runId)
  return {
    exit,
    exitMs,
    requests,
    lateSuccesses,
    refused,
    connectionErrors,
    problems,
    lost,
    acknowledged: writes.acknowledgedCount,
    rows: rows.length,
    runsWithoutOneRow: ids.filter((id) => rows.filter((row) => row.id === id).length !== 1).length,
    stuck: rows.filter(({ status }) => status !== 'success' && status !== 'interrupted').length,
    finished: rows.filter(({ status }) => status === 'success').length,
    streamsWithoutOneEnding: streamResults.filter(({ terminalEventCount }) => terminalEventCount !== 1).length,
    reconnected: reconnected.status,
  }
}

async function stopAmidCreates(engine: 'sqlite' | 'postgres', defect?: Defect) {
  const options = await createServerOptions(engine, defect)
  const server = await startServer(options)
  const { token } = await createLoadWorld(server.address, server.setupToken)
  const authorization = `Bearer ${token}`
  const events = await fetch(`${server.address}/api/events`, { headers: { authorization } })
  const eventsDone = events.text().catch(() => 'cut')
  const creates = await Promise.all(
    Array.from({ length: slowCreateCount }, (_, index) =>
      startSlowCreate(server.address, authorization, `Late ${index}`),
    ),
  )
  server.child.kill('SIGTERM')
  const stoppedAt = performance.now()
  await delay(1000)
  const lateRefused = await fetch(`${server.address}/ping`).then(
    ({ status }) => status === 503,
    () => true,
  )
  const answers = await Promise.all(creates.map((create) => create.finish().catch(() => undefined)))
  const exit = await server.exited
  const exitMs = performance.now() - stoppedAt
  await eventsDone
  const inspector = await openInspector(options)
  const rows = await inspector.rows(`select name from agents where name like 'Late %'`)
  await inspector.close()
  const answered = answers.filter((answer) => answer?.status === 200 && answer.connection === 'close').length
  return { answered, rows: rows.length, exit, exitMs, lateRefused }
}

for (const engine of ['sqlite', 'postgres'] as const) {
  const createsResult = await stopAmidCreates(engine)
  report(
    `SIGTERM during ${slowCreateCount} creates without model runs, ${engine}: each is answered, later requests are refused`,
    `${createsResult.answered} answered, ${createsResult.rows} stored, ${createsResult.lateRefused ? 'refused' : 'accepted'} after it; exit ${createsResult.exit} after ${(createsResult.exitMs / 1000).toFixed(1)} s`,
    `${slowCreateCount}, ${slowCreateCount}, refused, exit 0 within 4 s`,
    createsResult.answered === slowCreateCount &&
      createsResult.rows === slowCreateCount &&
      createsResult.lateRefused &&
      createsResult.exit === 0 &&
      createsResult.exitMs <= 4000,
  )
  const loadResult = await stopUnderLoad(engine)
  for (const line of [...loadResult.problems, ...loadResult.lost].slice(0, 10)) console.log(`  ${line}`)
  report(
    `SIGTERM under load, ${engine}: new requests are refused immediately`,
    `${loadResult.lateSuccesses} answered that arrived 100 ms after it, ${loadResult.refused} × 503, ${loadResult.connectionErrors} no connection, ${loadResult.problems.length} other answers`,
    '0, 0 others',
    loadResult.lateSuccesses + loadResult.problems.length === 0 && loadResult.refused + loadResult.connectionErrors > 0,
  )
  report(
    `SIGTERM under load, ${engine}: ${streamCount} streams end, one row each`,
    `${loadResult.finished} finished, ${loadResult.rows - loadResult.finished - loadResult.stuck} interrupted, ${loadResult.stuck} stuck, ${loadResult.streamsWithoutOneEnding} streams without their one ending, ${loadResult.runsWithoutOneRow} without their one row; exit ${loadResult.exit} after ${(loadResult.exitMs / 1000).toFixed(1)} s`,
    '0, 0, 0, exit 0 within 30 s',
    loadResult.rows === streamCount &&
      loadResult.stuck + loadResult.streamsWithoutOneEnding + loadResult.runsWithoutOneRow === 0 &&
      loadResult.finished >= streamCount * 0.9 &&
      loadResult.exit === 0 &&
      loadResult.exitMs <= 30_000,
  )
  report(
    `SIGTERM under load, ${engine}: nothing acknowledged lost, browsers reconnect`,
    `${loadResult.lost.length} lost of ${loadResult.acknowledged}, events again ${loadResult.reconnected}`,
    '0, 200',
    loadResult.lost.length === 0 && loadResult.reconnected === 200 && loadResult.acknowledged > createsPerSecond / 2,
  )
}

const options = await createServerOptions('sqlite')
const server = await startServer(options)
const world = await createLoadWorld(server.address, server.setupToken)
const reading = readStream(server.address, world, 'Say [[fault:silent-mid]]').catch(() => undefined)
await delay(1000)
server.child.kill('SIGTERM')
await delay(500)
const hasWaited = server.child.exitCode === null
const secondSignalAt = performance.now()
const exit = await server.end('SIGTERM')
const secondMs = performance.now() - secondSignalAt
await reading
report(
  'a second SIGTERM ends the process immediately',
  `${hasWaited ? 'waited after the first' : 'did not wait'}, exit ${exit} after ${secondMs.toFixed(0)} ms`,
  'exit 1 within 1,000 ms',
  hasWaited && exit === 1 && secondMs <= 1000,
)

const acceptingResult = await stopUnderLoad('sqlite', {
  file: 'server/main.ts',
  from: 'app.refuseNewRequests()',
  to: '',
})
report(
  'control: a server that keeps accepting requests',
  `${acceptingResult.lateSuccesses} answered that arrived after the signal`,
  'must be noticed',
  acceptingResult.lateSuccesses > 0,
)
const hastyResult = await stopUnderLoad('sqlite', { file: 'server/main.ts', from: 'await endRuns(services)', to: '' })
report(
  "control: a server that doesn't wait for its streams",
  `${hastyResult.streamsWithoutOneEnding} streams without their one ending`,
  'must be noticed',
  hastyResult.streamsWithoutOneEnding > 0,
)
const cuttingResult = await stopAmidCreates('sqlite', {
  file: 'server/main.ts',
  from: 'await requests.waitForAnswers(',
  to: 'void Promise.resolve(',
})
report(
  "control: a server that doesn't wait for accepted requests",
  `${cuttingResult.answered} answered`,
  'must be noticed',
  cuttingResult.answered < slowCreateCount,
)
await fake.close()
await postgres.stop()
rmSync(dataDir, { recursive: true })
