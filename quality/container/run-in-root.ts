import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export interface RootProcess {
  output(): string
  /** Resolves with the exit code, or the signal. */
  exited: Promise<number | NodeJS.Signals | null>
  signal(name: NodeJS.Signals): void
}

export interface RunOptions {
  root: string
  user: string
  environment: Record<string, string>
  workingDirectory: string
  command: string[]
  /** Host folder mounted at `mountPoint`, if any. */
  data?: string
  mountPoint: string
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Runs the command as process 1 of new process and mount namespaces, with a read-only root and an empty `/tmp`. Needs root. */
export function runInRoot(options: RunOptions): RootProcess {
  const { root, user, environment, workingDirectory, command, data, mountPoint } = options
  for (const folder of ['proc', 'tmp', 'dev', mountPoint]) mkdirSync(join(root, folder), { recursive: true })
  const variables = Object.entries(environment).map(([name, value]) => quote(`${name}=${value}`))
  const script = [
    'set -e',
    'mount --make-rprivate /',
    `mount --rbind ${quote(root)} ${quote(root)}`,
    `mount -o remount,bind,ro ${quote(root)}`,
    `mount -t tmpfs tmpfs ${quote(join(root, 'tmp'))}`,
    `mount --rbind /dev ${quote(join(root, 'dev'))}`,
    `mount -t proc proc ${quote(join(root, 'proc'))}`,
    ...(data ? [`mount --bind ${quote(data)} ${quote(join(root, mountPoint))}`] : []),
    // The root's `env` starts the command, so that no shell stays between process 1 and the program.
    `exec chroot --userspec=${user} ${quote(root)} /usr/bin/env -i -C ${quote(workingDirectory)} ${variables.join(' ')} ${command.map(quote).join(' ')}`,
  ].join('\n')
  const child = spawn('unshare', ['--pid', '--mount', '--fork', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Killing `unshare` doesn’t kill process 1: switching to another user clears its parent-death signal.
  const signal = (name: NodeJS.Signals) => {
    const firstProcessId = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
    if (!firstProcessId) throw new Error('it isn’t running')
    process.kill(Number(firstProcessId), name)
  }
  const kill = () => signal('SIGKILL')
  process.once('exit', kill)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => {
      process.removeListener('exit', kill)
      resolve(signal ?? code)
    }),
  )
  return {
    output: () => output,
    exited,
    signal,
  }
}

/** @throws {Error} with the output, if the process ends first or a minute passes */
export async function waitForAddress(started: RootProcess): Promise<void> {
  let hasExited = false
  void started.exited.then(() => (hasExited = true))
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 50) {
    if (/Keeper is at /.test(started.output())) return
    if (hasExited) throw new Error(`ended before it listened: ${started.output()}`)
    await delay(50)
  }
  throw new Error(`didn’t listen within a minute: ${started.output()}`)
}

/** Resolves with the exit code or the signal, or with 'still running' after the limit. */
export async function waitForExit(started: RootProcess, limitMs: number) {
  return await Promise.race([started.exited, delay(limitMs, 'still running' as const, { ref: false })])
}

export function requireProgram(name: string): void {
  const folders = (process.env.PATH ?? '').split(':')
  if (!folders.some((folder) => existsSync(join(folder, name))))
    throw new Error(`This gate needs ${name}. Install the Debian package that contains it.`)
}
