import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export function median(values: number[]): number {
  return percentile(values, 0.5)
}

export function mean(values: number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length
}

export function formatMs(value: number): string {
  return `${value.toFixed(1)} ms`
}

/** Nearest rank; `share` from 0 to 1. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export function report(promise: string, measured: string, bar: string, isMet: boolean): void {
  const line = `${isMet ? 'holds' : 'FAILS'}  ${promise} = ${measured} (bar: ${bar})`
  console.log(line.replaceAll(/\s*\n\s*/g, ' | '))
  if (!isMet) process.exitCode = 1
}

/** @param launcher a command that becomes the server */
export async function startKeeper(
  environment: Record<string, string>,
  launcher: string[] = [],
): Promise<{ process: ChildProcess; setupToken: string | undefined; firstAnswerMs: number; stop(): Promise<void> }> {
  const started = performance.now()
  const [command = '', ...parameters] = [...launcher, process.execPath, 'dist/server/main.js']
  const keeper = spawn(command, parameters, {
    cwd: root,
    env: { ...process.env, KEEPER_LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  killAtExit(keeper)
  let output = ''
  keeper.stdout?.on('data', (chunk) => {
    output += chunk
  })
  await waitUntilReachable(`http://127.0.0.1:${environment.PORT}/health`)
  const firstAnswerMs = performance.now() - started
  return {
    process: keeper,
    get setupToken() {
      return /setup=(\S+)/.exec(output)?.[1]
    },
    firstAnswerMs,
    stop: () => stopProcess(keeper),
  }
}

export async function waitUntilReachable(url: string): Promise<void> {
  const deadline = performance.now() + 20_000
  while (performance.now() < deadline) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) {
      await answer.arrayBuffer()
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(`${url} didn't respond within 20 s`)
}

/** Kills the child process when the benchmark ends, even by a failure, so that its port is released. */
export function killAtExit(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
}

export function stopProcess(process: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    process.once('exit', () => resolve())
    process.kill('SIGTERM')
  })
}

const msPerTick = 10

export function readProcessUsage(process: ChildProcess): { residentMb: number; cpuMs: number } {
  const status = readFileSync(`/proc/${process.pid}/status`, 'utf8')
  const stat = readFileSync(`/proc/${process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ticks = Number(stat[11]) + Number(stat[12])
  return { residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024, cpuMs: ticks * msPerTick }
}

export async function registerPerson(
  url: string,
  email = 'bench@keeper.example',
  setupToken?: string,
): Promise<string> {
  const answer = await fetch(`${url}/api/kam/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a-bench-password-5', name: 'Bench', setupToken }),
  })
  const body = (await answer.json()) as { data?: { token: string } }
  if (!body.data) throw new Error(`registration failed: ${JSON.stringify(body)}`)
  return body.data.token
}
