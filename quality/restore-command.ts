import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { report, root } from '../bench/measure.ts'
import type { BackupOverview } from '../contract/administration/backups.ts'
import { startPostgres, withDatabaseName } from '../tests/engines-setup.ts'
import { findFreePort } from '../tests/find-free-port.ts'
import { openInspector } from './faults/database-inspector.ts'
import { type ServerProcess, startServer } from './faults/server-process.ts'
import { createLoadWorld, type LoadWorld, requireData, sendRequest } from './faults/writers.ts'

// The restore command of the backups page with PostgreSQL: refused while a process runs, all or nothing when killed, and it
// names the database it restored into. Uses the machine's PostgreSQL, if it has one.

interface MomentPage {
  items: unknown[]
  next_cursor: string | null
}

const folder = mkdtempSync(join(tmpdir(), 'keeper-restore-'))
const postgres = await startLocalPostgres()
const admin = await openInspector({ dataDir: '', databaseUrl: postgres.url })
const version = String((await admin.rows('select version() as version'))[0]?.version).slice(0, 30)
await admin.rows('create database keeper')
const databaseUrl = withDatabaseName(postgres.url, 'keeper')
const dataDir = join(folder, 'data')
const environment = { KEEPER_SECRET: 'a secret of the gates, long enough for it' }
const problems: string[] = []
const check = (isMet: boolean, problem: string) => {
  if (!isMet) problems.push(problem)
}

const backedUpCount = 300
const countWithLaterMoment = backedUpCount + 1

let server = await startServer({ dataDir, databaseUrl, environment })
const world = await createLoadWorld(server.address, server.setupToken)
const picture = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.alloc(300_000, 'pixels'),
])
const { id: pictureId } = requireData<{ id: string }>(
  await sendRequest(server.address, world.token, 'POST', `/api/keeper/keepers/${world.keeperId}/media`, picture),
)
for (let index = 0; index < backedUpCount; index++)
  await writeMoment(server, world, `Before the backup, ${index}: ü 漢 🚢 \\ '`)
await callApi(server, 'POST', '/api/kip/user-keys', { provider: 'openai', apiKey: 'sk-harbour-0123456789-abcdefgh' })
await callApi(server, 'POST', '/api/admin/backups', {})
const backup = await waitForBackup(server)
await writeMoment(server, world, 'After the backup')
const path = join(dataDir, 'backups', backup)

const restoreWhileRunning = await runRestore(path, { DATABASE_URL: databaseUrl })
check(
  restoreWhileRunning.code === 1 && /in use by a running Keeper/.test(restoreWhileRunning.output),
  `running: ${restoreWhileRunning.output}`,
)
check((await countMoments(server)) === countWithLaterMoment, 'a refused restore changed something')
await server.end('SIGTERM')

const copyData = async (copy: string) => {
  await admin.rows(`create database ${copy} template keeper`)
  cpSync(dataDir, join(folder, copy), { recursive: true })
  return { DATABASE_URL: withDatabaseName(postgres.url, copy), KEEPER_DATA_DIR: join(folder, copy) }
}
const startedAt = performance.now()
await runRestore(path, await copyData('complete'))
const completeMs = performance.now() - startedAt

// A killed restore must leave the old data or the new, and nothing between.
const outcomes: number[] = []
for (const share of [0.5, 0.8, 1, 1.15, 1.3]) {
  const afterMs = Math.round(share * completeMs)
  const copy = `killed_${afterMs}`
  const settings = await copyData(copy)
  await runRestore(path, settings, afterMs)
  const started = await startServer({
    dataDir: settings.KEEPER_DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    environment,
  }).catch((error: Error) => error.message)
  if (typeof started === 'string') {
    // A restore that was killed while swapping the pictures asks to be run again.
    const again = await runRestore(path, settings)
    check(/Run it again/.test(started) && again.code === 0, `killed after ${afterMs} ms: ${started} ${again.output}`)
    outcomes.push(backedUpCount)
    continue
  }
  outcomes.push(await countMoments(started))
  check((await readPicture(started)) === picture.length, `killed after ${afterMs} ms: the picture is lost`)
  await started.end('SIGTERM')
}
check(
  outcomes.every((count) => count === backedUpCount || count === countWithLaterMoment),
  `killed restores left ${outcomes.join(', ')} moments`,
)

const damagedBackup = join(folder, 'damaged')
cpSync(path, damagedBackup, { recursive: true })
writeFileSync(join(damagedBackup, 'rows.jsonl'), '{}', { flag: 'a' })
const refused = await runRestore(damagedBackup, { DATABASE_URL: databaseUrl })
check(refused.code === 1 && !refused.output.includes('at '), `a damaged backup: ${refused.code} ${refused.output}`)

const withoutUrl = await runRestore(path, { KEEPER_DATA_DIR: join(folder, 'embedded') })
check(
  withoutUrl.code === 0 && /into the embedded database in .*The backup is from PostgreSQL/s.test(withoutUrl.output),
  `without DATABASE_URL: ${withoutUrl.output}`,
)

const restore = await runRestore(path, { DATABASE_URL: databaseUrl })
check(
  restore.code === 0 && restore.output.includes(`Restored ${path} into PostgreSQL.`),
  `the restore: ${restore.output}`,
)
const safetyBackup = /is now in (\S+before-restore-\S+)\./.exec(restore.output)?.[1]
server = await startServer({ dataDir, databaseUrl, environment })
check((await countMoments(server)) === backedUpCount, 'the restored server has other moments')
check((await readPicture(server)) === picture.length, 'the picture is lost')
const keys = await sendRequest(server.address, world.token, 'GET', '/api/kip/user-keys')
check(keys.text.includes('openai'), `provider keys: ${keys.text.slice(0, 200)}`)
await writeMoment(server, world, 'Written after the restore')
await server.end('SIGTERM')
const undo = await runRestore(safetyBackup ?? '', { DATABASE_URL: databaseUrl })
check(undo.code === 0, `restoring the previous data: ${undo.output}`)
server = await startServer({ dataDir, databaseUrl, environment })
check((await countMoments(server)) === countWithLaterMoment, 'the backup of the previous data lacks moments')
await server.end('SIGTERM')

for (const problem of problems) console.log(`  ${problem.slice(0, 500)}`)
report(
  `${version}: the restore command of the backups page, refused, killed, repeated and undone`,
  `${problems.length} failures; killed restores left ${outcomes.join(', ')} moments`,
  '0',
  problems.length === 0,
)

await admin.rows('drop database keeper')
await admin.rows('create database keeper')
const emptyServer = await startServer({ dataDir: join(folder, 'control'), databaseUrl, environment })
const emptyWorld = await createLoadWorld(emptyServer.address, emptyServer.setupToken)
const count = await countMoments(emptyServer, emptyWorld)
report(
  'control: a database that wasn’t restored',
  count === backedUpCount ? 'not noticed' : `noticed: ${count} moments`,
  'must be noticed',
  count !== backedUpCount,
)
await emptyServer.end('SIGTERM')
await admin.close()
await postgres.stop()
rmSync(folder, { recursive: true, force: true })

const vitestArguments = ['node_modules/vitest/vitest.mjs', 'run', 'server/backups/restore-in-product.test.ts']
const killedTests = spawnSync(process.execPath, vitestArguments, {
  cwd: root,
  env: { ...process.env, KEEPER_RESTORE_KILLS: 'all' },
  encoding: 'utf8',
})
if (killedTests.status !== 0) console.log(killedTests.stdout)
report(
  'a restore from the product that is killed at any of five steps leaves the old data untouched',
  killedTests.status === 0 ? 'untouched' : 'not untouched',
  'untouched',
  killedTests.status === 0,
)
process.exit()

async function callApi<T>({ address }: ServerProcess, method: string, route: string, body?: unknown): Promise<T> {
  return requireData<T>(await sendRequest(address, world.token, method, route, body))
}

async function writeMoment(target: ServerProcess, { token, keeperId }: LoadWorld, body: string): Promise<void> {
  requireData(await sendRequest(target.address, token, 'POST', `/api/keeper/keepers/${keeperId}/moments`, { body }))
}

async function countMoments({ address }: ServerProcess, { token, keeperId } = world): Promise<number> {
  const route = `/api/keeper/keepers/${keeperId}/moments?limit=100`
  let [total, cursor]: [number, string | null] = [0, null]
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: MomentPage = requireData(await sendRequest(address, token, 'GET', `${route}${next}`))
    total += page.items.length
    cursor = page.next_cursor
  } while (cursor !== null)
  return total
}

async function readPicture({ address }: ServerProcess): Promise<number> {
  const response = await fetch(`${address}/api/keeper/media/${pictureId}`, {
    headers: { authorization: `Bearer ${world.token}` },
  })
  return (await response.arrayBuffer()).byteLength
}

async function waitForBackup(target: ServerProcess): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const overview = await callApi<BackupOverview>(target, 'GET', '/api/admin/backups')
    check(overview.restore === 'command' || attempt > 0, 'the page doesn’t name the command')
    if (!overview.running && overview.backups[0]) return overview.backups[0].id
    await delay(100)
  }
  throw new Error('No backup was made')
}

/** With `killAfterMs`, ends the restore with SIGKILL after that time. */
async function runRestore(backupPath: string, settings: Record<string, string>, killAfterMs?: number) {
  const child = spawn(process.execPath, ['scripts/restore.ts', backupPath], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      KEEPER_DATA_DIR: dataDir,
      DATABASE_URL: '',
      ...environment,
      ...settings,
    },
  })
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  clearTimeout(timer)
  return { output: `${stdout}${stderr}`.trim(), code: code as number | null }
}

/** Starts Debian's PostgreSQL if it is installed and this runs as root; otherwise that of the tests. */
async function startLocalPostgres(): Promise<{ url: string; stop(): Promise<void> | void }> {
  const initdb = globSync('/usr/lib/postgresql/*/bin/initdb').at(-1)
  if (!initdb || process.getuid?.() !== 0 || spawnSync('id', ['postgres']).status !== 0) return startPostgres()
  const programs = dirname(initdb)
  const cluster = join(folder, 'cluster')
  execFileSync('install', ['-d', '-o', 'postgres', cluster])
  execFileSync('chmod', ['711', folder])
  const run = (program: string, options: string[]) =>
    execFileSync(
      'setpriv',
      ['--reuid=postgres', '--regid=postgres', '--clear-groups', join(programs, program), ...options],
      {
        stdio: 'ignore',
        cwd: cluster,
      },
    )
  const port = await findFreePort()
  run('initdb', ['-D', join(cluster, 'data'), '--encoding=UTF8', '--username=keeper', '--auth=trust', '--no-sync'])
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${cluster} -c max_connections=100`
  run('pg_ctl', ['-D', join(cluster, 'data'), '-w', '-l', join(cluster, 'log'), '-o', options, 'start'])
  const stop = () => existsSync(cluster) && run('pg_ctl', ['-D', join(cluster, 'data'), '-m', 'fast', 'stop'])
  process.once('exit', stop)
  return {
    url: `postgres://keeper@127.0.0.1:${port}/postgres`,
    stop() {
      process.removeListener('exit', stop)
      stop()
    },
  }
}
