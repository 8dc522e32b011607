import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const bundlePath = resolve(import.meta.dirname, '../../dist/server/main.js')
const clockedEntry = resolve(import.meta.dirname, 'clocked-keeper.ts')

export interface BuiltKeeper {
  url: string
  dataDir: string
  /** Path of the one-time link that the first start prints. */
  setupPath: string
  /** Complete output, for the report of a failed journey. */
  lines: string[]
  /** Calls the API directly and returns `data`. A body makes it a POST by default. */
  callApi<Data>(path: string, body?: unknown, options?: { token?: string; method?: string }): Promise<Data>
  /** Restarts on the same address and data: gracefully, or as after a crash with SIGKILL. */
  restart(signal?: NodeJS.Signals): Promise<void>
  /** Moves its clock ahead, also across restarts; requires `clocked`. */
  passTime(milliseconds: number): Promise<void>
  /** Ends the process and leaves the data. */
  end(): Promise<void>
  /** Ends the process and removes the data. */
  stop(): Promise<void>
}

/**
 * Starts the production bundle on a free port and an empty data folder, or on a copy of `initialDataDir`. `clocked`
 * gives it a clock that `passTime` sets. `proxied`: `KEEPER_PUBLIC_URL` is a proxy's, so calls go to `PORT`.
 */
export async function startBuiltKeeper(
  environment: Record<string, string>,
  {
    clocked = false,
    proxied = false,
    initialDataDir,
  }: { clocked?: boolean; proxied?: boolean; initialDataDir?: string } = {},
): Promise<BuiltKeeper> {
  if (!existsSync(bundlePath)) throw new Error('Not built yet: run node scripts/build.ts')
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-journey-'))
  if (initialDataDir) cpSync(initialDataDir, dataDir, { recursive: true })
  const lines: string[] = []
  const entry = clocked ? clockedEntry : bundlePath
  let clockOffsetMs = 0
  let running = await startBuiltProcess(entry, { ...environment, KEEPER_DATA_DIR: dataDir }, lines)
  // The server prints the address of the proxy.
  const url = proxied ? `http://127.0.0.1:${environment.PORT}` : running.url
  return {
    url,
    dataDir,
    get setupPath() {
      return lines.find((line) => line.includes('/register?setup='))?.replace(/^.*(?=\/register)/, '') ?? '/register'
    },
    lines,
    async callApi<Data>(path: string, body?: unknown, options: { token?: string; method?: string } = {}) {
      const { token, method = body === undefined ? 'GET' : 'POST' } = options
      const response = await fetch(url + path, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
      const answer = (await response.json()) as { success: boolean; data: Data } | Data
      if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
      // Domains answer without the envelope.
      return answer && typeof answer === 'object' && 'success' in answer ? answer.data : answer
    },
    async restart(signal) {
      await running.end(signal)
      const nextEnvironment = { ...environment, KEEPER_DATA_DIR: dataDir, PORT: new URL(url).port }
      running = await startBuiltProcess(entry, nextEnvironment, lines)
      if (clocked) await running.setClockOffset(clockOffsetMs)
    },
    async passTime(milliseconds) {
      if (!clocked) throw new Error('This Keeper uses the system clock: set test.use({ clocked: true })')
      clockOffsetMs += milliseconds
      await running.setClockOffset(clockOffsetMs)
    },
    end: () => running.end(),
    async stop() {
      await running.end()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function startBuiltProcess(entry: string, environment: Record<string, string>, lines: string[]) {
  const child = spawn(process.execPath, [entry], {
    cwd: environment.KEEPER_DATA_DIR,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      KEEPER_LOG_LEVEL: 'warn',
      // The journeys start two hundred servers with the same code.
      NODE_COMPILE_CACHE: join(tmpdir(), 'keeper-compile-cache'),
      // Already set, or each server would restart once to set it (server/start/memory-flags.ts).
      MALLOC_MMAP_THRESHOLD_: String(1024 * 1024),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', ...(entry === clockedEntry ? (['ipc'] as const) : [])],
  })
  const exited = once(child, 'exit')
  const url = await new Promise<string>((ready, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface(stream).on('line', (line) => {
        lines.push(line)
        const address = line.match(/^Keeper is at (\S+)/)?.[1]
        if (address) ready(address)
      })
    }
    exited.then(() => failed(new Error(`Keeper did not start:\n${lines.join('\n')}`)))
  })
  return {
    url,
    async setClockOffset(offsetMs: number) {
      const confirmation = once(child, 'message')
      child.send(offsetMs)
      await confirmation
    },
    async end(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      const deadline = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await exited
      clearTimeout(deadline)
    },
  }
}
