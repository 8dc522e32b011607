import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { registerPerson, report } from '../bench/measure.ts'
import { root } from '../scripts/fingerprint.ts'
import { createRelease, maxReleaseMegabytes } from '../scripts/release.ts'
import { createJpeg } from '../tests/picture-files.ts'

// A release runs from an empty folder with Node alone and 512 MB. The limit is that of a control group, so this needs root.

const limitMegabytes = 512
const port = '15912'
const url = `http://127.0.0.1:${port}`
const { archive, megabytes } = createRelease()
report(
  'size of a release without Node',
  `${megabytes.toFixed(1)} MB`,
  `${maxReleaseMegabytes} MB`,
  megabytes <= maxReleaseMegabytes,
)

const folder = mkdtempSync(join(tmpdir(), 'keeper-release-'))
execFileSync('tar', ['-xzf', join(root, archive), '-C', folder])
const program = join(readdirSync(folder)[0] ?? '', 'keeper.js')
const environment = { PATH: '/usr/bin:/bin', PORT: port, KEEPER_LOG_LEVEL: 'error' }
const isVersion1 = existsSync('/sys/fs/cgroup/memory')
const group = `/sys/fs/cgroup/${isVersion1 ? 'memory/' : ''}keeper-release-${process.pid}`
mkdirSync(group)
writeFileSync(join(group, isVersion1 ? 'memory.limit_in_bytes' : 'memory.max'), String(limitMegabytes * 1024 * 1024))

function start(parameters: string[] = []) {
  const command = [
    'sh',
    '-c',
    `echo $$ > ${group}/cgroup.procs; exec "$@"`,
    'sh',
    process.execPath,
    program,
    ...parameters,
  ]
  const child = spawn(command[0] ?? '', command.slice(1), {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  process.once('exit', () => child.kill('SIGKILL'))
  return { child, exited, output: () => output }
}

/** The browser has a minute to send its own small version; then the server creates one. */
async function readSmallVersion(token: string): Promise<string | null> {
  const call = (path: string, init: RequestInit) =>
    fetch(url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
  const keeper = await call('/api/keeper/keepers', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Harbor', purpose: 'Ships.', keeperType: 'journal', memoryPattern: 'sole' }),
  })
  const { data } = (await keeper.json()) as { data: { id: string } }
  const body = new Uint8Array(await createJpeg(1600, 900, { noise: 0.4 }))
  const upload = await call(`/api/keeper/keepers/${data.id}/media`, {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg' },
    body,
  })
  const { data: media } = (await upload.json()) as { data: { id: string } }
  let type: string | null = null
  for (let second = 0; second < 100 && type !== 'image/webp'; second++) {
    await delay(1000)
    const answer = await call(`/api/keeper/media/${media.id}?size=small`, {})
    await answer.arrayBuffer()
    type = answer.headers.get('content-type')
  }
  return type
}

async function waitForAddress(server: ReturnType<typeof start>) {
  while (!server.output().includes('Keeper is at')) {
    if (server.child.exitCode !== null) throw new Error(server.output())
    await delay(20)
  }
}

const server = start()
await waitForAddress(server)
const token = await registerPerson(url, undefined, /setup=(\S+)/.exec(server.output())?.[1])
const pages = await Promise.all(
  ['/login', '/root', '/sw.js', '/manifest.webmanifest'].map(async (path) => (await fetch(url + path)).status),
)
const picture = await readSmallVersion(token)
const peak = Number(readFileSync(join(group, isVersion1 ? 'memory.max_usage_in_bytes' : 'memory.peak'), 'utf8')) / 1e6
report(
  'a release starts with Node alone in 512 MB, and serves its pages',
  `${pages.join(', ')}; at most ${peak.toFixed(0)} MB with its files`,
  '200 each',
  pages.every((status) => status === 200),
)
report('it makes pictures smaller with its own WebAssembly', `${picture}`, 'image/webp', picture === 'image/webp')

async function runCommand(...parameters: string[]) {
  const { exited, output } = start(parameters)
  return { exitCode: await exited, output: output() }
}
const list = await runCommand('admin', 'list')
const backup = await runCommand('backup')
server.child.kill('SIGTERM')
const exitCode = await server.exited
const name = readdirSync(join(folder, 'data/backups'))[0] ?? ''
const restored = await runCommand('restore', `data/backups/${name}`)
const restarted = start()
await waitForAddress(restarted)
const session = await fetch(`${url}/api/kip/agents`, { headers: { authorization: `Bearer ${token}` } })
restarted.child.kill('SIGTERM')
await restarted.exited
report(
  'admin, backup, stopping and restore work with it',
  `${[list.exitCode, backup.exitCode, exitCode, restored.exitCode].join(', ')}; signed in afterwards: ${session.status}`,
  '0 each, 200',
  list.output.includes('bench@keeper.example') && !backup.exitCode && !exitCode && !restored.exitCode && session.ok,
)

rmSync(join(folder, program.replace('keeper.js', 'server/keeper.js')))
const broken = await start().exited
report(
  'control: a release without one of its files',
  broken === 0 ? 'not noticed' : `noticed: exit ${broken}`,
  'must be noticed',
  broken !== 0,
)
rmSync(folder, { recursive: true, force: true })
await delay(200)
rmdirSync(group)
