import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { report, root, waitUntilReachable } from '../bench/measure.ts'
import { startPostgres, withDatabaseName } from '../tests/engines-setup.ts'
import { startBucket } from '../tests/fakes/bucket.ts'
import { startMailbox } from '../tests/fakes/mailbox.ts'
import { startCluster } from './load/cluster.ts'
import { LoadClient } from './load/load-client.ts'
import { createPeople } from './load/people.ts'
import { checks } from './scale-out/checks.ts'

// Processes on one PostgreSQL behind a proxy keep every promise. Control: with separate databases, every check must notice.

const { values } = parseArgs({ options: { processes: { type: 'string', default: '2,4' } } })
const [proxyPort, firstPort, providerPort] = [15_854, 15_855, 15_859]
const postgres = await startPostgres()
const [mailbox, bucket] = [await startMailbox(), await startBucket()]
const provider = spawn(process.execPath, ['bench/fake-provider.ts', String(providerPort)], {
  cwd: root,
  stdio: 'inherit',
})
process.once('exit', () => provider.kill('SIGKILL'))
await waitUntilReachable(`http://127.0.0.1:${providerPort}/`)
const admin = new pg.Client(postgres.url)
await admin.connect()
const environment = {
  ...bucket.environment,
  SMTP_URL: mailbox.url,
  OPENAI_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
}
const ports = { proxy: proxyPort, first: firstPort }

async function countInitialRows(database: pg.Client): Promise<string> {
  const tables = [
    'agents',
    'keeper_types',
    'engagement_templates',
    'memory_patterns',
    'agent_classes',
    'keeper_migrations',
  ]
  const counts: string[] = []
  for (const table of tables) {
    const { rows } = await database.query(`select count(*)::int as count from ${table}`)
    counts.push(`${table} ${rows[0].count}`)
  }
  return counts.join(', ')
}

async function connectClient(name: string): Promise<pg.Client> {
  const client = new pg.Client(withDatabaseName(postgres.url, name))
  await client.connect()
  return client
}

async function countRowsOfOneProcess(): Promise<string> {
  await admin.query('create database keeper_alone')
  const cluster = await startCluster([withDatabaseName(postgres.url, 'keeper_alone')], environment, ports)
  const database = await connectClient('keeper_alone')
  const rows = await countInitialRows(database)
  await database.end()
  await cluster.close()
  return rows
}

const expectedRows = await countRowsOfOneProcess()
for (const count of values.processes.split(',').map(Number)) {
  const name = `keeper_of_${count}`
  await admin.query(`create database ${name}`)
  const url = withDatabaseName(postgres.url, name)
  const cluster = await startCluster(
    Array.from({ length: count }, () => url),
    environment,
    ports,
  )
  const database = await connectClient(name)
  const actualRows = await countInitialRows(database)
  report(
    `${count} processes started together on an empty database`,
    actualRows === expectedRows ? actualRows : `${actualRows}; a single one creates ${expectedRows}`,
    'the rows a single process creates',
    actualRows === expectedRows,
  )
  const proxyClient = new LoadClient(cluster.address)
  const people = await createPeople(proxyClient, 6)
  const scene = { cluster, client: proxyClient, people, database, mailbox }
  for (const [promise, check] of Object.entries(checks)) {
    const problems = await check(scene).catch((error: Error) => [error.message])
    report(`${count} processes: ${promise}`, problems.join('; ') || 'as promised', 'as promised', problems.length === 0)
  }
  const problems = cluster.members.map((member) => member.problems).join('')
  report(
    `${count} processes: logged problems`,
    problems.slice(0, 300).replaceAll('\n', ' ') || 'none',
    'none',
    problems === '',
  )
  await database.end()
  await cluster.close()
}

await admin.query('create database keeper_first')
const singleProcess = await startCluster([withDatabaseName(postgres.url, 'keeper_first')], environment, ports)
const setupClient = new LoadClient(singleProcess.address)
const people = await createPeople(setupClient, 6)
setupClient.close()
await singleProcess.close()
const copyDatabase = async () => {
  await admin.query('drop database if exists keeper_copy with (force)')
  await admin.query('create database keeper_copy template keeper_first')
}
await copyDatabase()
const separateCluster = await startCluster(
  [withDatabaseName(postgres.url, 'keeper_first'), withDatabaseName(postgres.url, 'keeper_copy')],
  environment,
  ports,
)
let database = await connectClient('keeper_first')
for (const [promise, check] of Object.entries(checks)) {
  const proxyClient = new LoadClient(separateCluster.address)
  const scene = {
    cluster: separateCluster,
    client: proxyClient,
    people,
    mailbox,
    get database() {
      return database
    },
    async beforeRestart() {
      await database.query(`update echoes set trigger_at = $1 where trigger_at > $1`, [Date.now() - 1000])
      await database.end()
      await copyDatabase()
      database = await connectClient('keeper_first')
    },
  }
  const problems = await check(scene).catch((error: Error) => [error.message])
  report(
    `control: two processes that share nothing: ${promise}`,
    `noticed: ${problems.join('; ').slice(0, 160) || 'nothing'}`,
    'must be noticed',
    problems.length > 0,
  )
  proxyClient.close()
}
await database.end()
await separateCluster.close()
await admin.end()
provider.kill('SIGTERM')
await Promise.all([mailbox.close(), bucket.close(), postgres.stop()])
