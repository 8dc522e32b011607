import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { registerPerson, report } from '../bench/measure.ts'
import { readImage } from '../scripts/read-dockerfile.ts'
import { createRelease } from '../scripts/release.ts'
import { type RootProcess, requireProgram, runInRoot, waitForAddress, waitForExit } from './container/run-in-root.ts'

// Runs the Dockerfile's steps in a Debian root folder, without Docker: read-only, as its user, as process 1. Needs root and mmdebstrap.

const { values } = parseArgs({ options: { debian: { type: 'string' } } })
const repository = join(import.meta.dirname, '..')
const image = readImage(readFileSync(join(repository, 'Dockerfile'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'keeper-container-'))
// Accounts other than root must reach it.
chmodSync(folder, 0o755)
const stopLimitMs = 30_000
const port = '15911'
const url = `http://127.0.0.1:${port}`
const dataDir = image.environment.KEEPER_DATA_DIR ?? ''
const [uid = 0, gid = 0] = image.user.split(':').map(Number)

const root = join(folder, 'root')
createRoot()

function createRoot(): void {
  if (values.debian) execFileSync('cp', ['-a', values.debian, root])
  else {
    requireProgram('mmdebstrap')
    execFileSync('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root], {
      stdio: 'inherit',
    })
  }
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'))
  const application = join(root, image.workingDirectory)
  // The build stage ends with scripts/release.ts, which makes /keeper, and an empty /data.
  const copies = image.copies.map((copy) => copy.join(' '))
  if (copies.join() !== `--from=build /keeper ./,--from=build --chown=${image.user} ${dataDir} ${dataDir}`)
    throw new Error(`this gate doesn’t know how to copy ${copies.join(', ')}`)
  cpSync(join(repository, createRelease().folder), application, { recursive: true })
  mkdirSync(join(root, dataDir))
  chownSync(join(root, dataDir), uid, gid)
}

function createData(owner = uid): string {
  const data = mkdtempSync(join(folder, 'data-'))
  chownSync(data, owner, owner === 0 ? 0 : gid)
  return data
}

function run(data: string | undefined, command = image.command, user = image.user): RootProcess {
  const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', ...image.environment, PORT: port }
  return runInRoot({
    root,
    user,
    environment,
    workingDirectory: image.workingDirectory,
    command,
    mountPoint: dataDir,
    ...(data && { data }),
  })
}

const runToEnd = async (data: string | undefined, command: string[]) => {
  const started = run(data, command)
  return { exit: await waitForExit(started, 60_000), output: started.output().trim() }
}

async function stop(started: RootProcess): Promise<{ exit: unknown; milliseconds: number }> {
  const startedAt = performance.now()
  started.signal(image.stopSignal)
  const exit = await waitForExit(started, stopLimitMs)
  if (exit === 'still running') {
    started.signal('SIGKILL')
    await started.exited
  }
  return { exit, milliseconds: performance.now() - startedAt }
}

async function listAgents(token: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/kip/agents`, { headers: { authorization: `Bearer ${token}` } })
  const { data = [] } = (await answer.json()) as { data?: { name: string }[] }
  return data.map(({ name }) => name)
}

const data = createData()
const firstRun = run(data)
await waitForAddress(firstRun)
const token = await registerPerson(url, undefined, /setup=(\S+)/.exec(firstRun.output())?.[1])
const created = await fetch(`${url}/api/kip/agents`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  body: JSON.stringify({ name: 'Harbor', slug: 'harbor', purpose: 'Remembers ships.' }),
})
const checkWhileRunning = await runToEnd(data, image.healthCheck)
const admin = await runToEnd(data, ['node', 'keeper.js', 'admin', 'list'])
const backup = await runToEnd(data, ['node', 'keeper.js', 'backup'])
report(
  'in a read-only root as its user it starts, writes, and its health check passes',
  `created: ${created.status}, health check: ${checkWhileRunning.exit}`,
  '200, 0',
  created.ok && checkWhileRunning.exit === 0,
)
report(
  'admin and backup work while it runs',
  `${admin.exit}, ${backup.exit}: ${admin.output} ${backup.output}`.slice(0, 200),
  '0, 0',
  admin.exit === 0 && backup.exit === 0 && admin.output.includes('bench@keeper.example'),
)
const stopped = await stop(firstRun)
report(
  'as process 1 it ends within 30 s of SIGTERM',
  `exit ${stopped.exit} after ${stopped.milliseconds.toFixed(0)} ms`,
  '0 in 30,000 ms',
  stopped.exit === 0,
)
const checkAfterStop = await runToEnd(data, image.healthCheck)
report('the health check fails when it isn’t running', `${checkAfterStop.exit}`, '1', checkAfterStop.exit === 1)

const secondRun = run(data)
await waitForAddress(secondRun)
const agentsAfterStop = await listAgents(token)
secondRun.signal('SIGKILL')
await secondRun.exited
const thirdRun = run(data)
await waitForAddress(thirdRun)
const agentsAfterKill = await listAgents(token)
await stop(thirdRun)
report(
  'a new container has the data of the previous one, also after SIGKILL',
  `${agentsAfterStop.includes('Harbor')}, ${agentsAfterKill.includes('Harbor')}`,
  'true, true',
  agentsAfterStop.includes('Harbor') && agentsAfterKill.includes('Harbor'),
)

const backupName = /backups\/[\w-]+/.exec(backup.output)?.[0] ?? ''
const restored = await runToEnd(data, ['node', 'keeper.js', 'restore', join(dataDir, backupName)])
report('a backup is restored there', `${restored.exit}: ${restored.output}`.slice(0, 200), '0', restored.exit === 0)

const foreign = await runToEnd(createData(0), image.command)
report(
  'a folder of root is refused with one line that has the chown',
  `exit ${foreign.exit}: ${foreign.output}`,
  'exit 1',
  foreign.exit === 1 && foreign.output.split('\n').length === 1 && foreign.output.includes(`chown -R ${uid}:${gid}`),
)
const unmounted = await runToEnd(undefined, image.command)
report(
  'without a mounted folder it refuses with one line',
  `exit ${unmounted.exit}: ${unmounted.output}`,
  'exit 1',
  unmounted.exit === 1 && unmounted.output.split('\n').length === 1 && unmounted.output.includes('mounted volume'),
)

// App stores and clusters run the image under a user ID of their choice, which has no name in it.
const anonymousUser = '4711:0'
const anonymousData = createData(4711)
const anonymousRun = run(anonymousData, image.command, anonymousUser)
await waitForAddress(anonymousRun)
const anonymousStop = await stop(anonymousRun)
report('another account without a name runs it', `exit ${anonymousStop.exit}`, 'exit 0', anonymousStop.exit === 0)

const shellRun = run(createData(), ['sh', '-c', `${image.command.join(' ')}; exit $?`])
await waitForAddress(shellRun)
const shellStop = await stop(shellRun)
report(
  'control: a shell as process 1',
  shellStop.exit === 'still running' ? 'noticed: still running after 30 s' : `not noticed: exit ${shellStop.exit}`,
  'must be noticed',
  shellStop.exit === 'still running',
)
if (existsSync(folder)) rmSync(folder, { recursive: true, force: true })
process.exit()
