import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root, waitUntilReachable } from '../../bench/measure.ts'

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export class Member {
  readonly address: string
  readonly #environment: Record<string, string>
  readonly #folder = mkdtempSync(join(tmpdir(), 'keeper-member-'))
  child: ChildProcess | undefined
  problems = ''

  constructor(port: number, environment: Record<string, string>) {
    this.address = `http://127.0.0.1:${port}`
    this.#environment = { PORT: String(port), KEEPER_DATA_DIR: this.#folder, ...environment }
  }

  async start(): Promise<void> {
    const { PATH = '', HOME = '' } = process.env
    const child = spawn(process.execPath, ['dist/server/main.js'], {
      cwd: root,
      env: { PATH, HOME, KEEPER_LOG_LEVEL: 'error', ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child = child
    running.add(child)
    child.once('exit', () => running.delete(child))
    // An unread pipe blocks the process.
    child.stdout.on('data', (bytes) => (this.problems += String(bytes).includes('"level"') ? bytes : ''))
    child.stderr.on('data', (bytes) => (this.problems += bytes))
    await waitUntilReachable(`${this.address}/health`)
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await exited
  }

  async remove(): Promise<void> {
    await this.end('SIGTERM')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

export interface Cluster {
  address: string
  members: Member[]
  proxy: ChildProcess
  close(): Promise<void>
}

interface Ports {
  proxy: number
  first: number
}

export async function startCluster(
  databaseUrls: string[],
  environment: Record<string, string>,
  ports: Ports,
): Promise<Cluster> {
  const address = `http://127.0.0.1:${ports.proxy}`
  const members = databaseUrls.map(
    (url, index) =>
      new Member(ports.first + index, {
        DATABASE_URL: url,
        KEEPER_SECRET: 'a secret that several processes share, long enough',
        KEEPER_TRUSTED_PROXIES: '1',
        KEEPER_PUBLIC_URL: address,
        KEEPER_REGISTRATIONS_PER_HOUR: '10000',
        ...environment,
      }),
  )
  await Promise.all(members.map((member) => member.start()))
  const proxy = spawn(
    process.execPath,
    [
      fileURLToPath(import.meta.resolve('./round-robin-proxy.ts')),
      String(ports.proxy),
      ...members.map((member) => member.address),
    ],
    { cwd: root, stdio: 'inherit' },
  )
  running.add(proxy)
  proxy.once('exit', () => running.delete(proxy))
  await waitUntilReachable(`${address}/health`)
  return {
    address,
    members,
    proxy,
    async close() {
      proxy.kill('SIGKILL')
      await Promise.all(members.map((member) => member.remove()))
    },
  }
}
