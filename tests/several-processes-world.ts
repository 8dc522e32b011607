import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Endpoint, EndpointOutput } from '#contract/endpoint.ts'
import type { FreshDatabase } from './engines.ts'
import { toRequest } from './test-app.ts'

const serverFile = fileURLToPath(new URL('clocked-server.ts', import.meta.url))

/** A server process on the shared database, with its own data folder as on another machine. */
export interface KeeperProcess {
  address: string
  stdout(): string
  /** Logged problems. */
  stderr(): string
  /** Sets how far the clock of the process is ahead of the real time. */
  setClockOffset(offsetMs: number): void
  /** Sends the signal and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<void>
}

export async function startServerProcess(
  { databaseUrl = '' }: Partial<Pick<FreshDatabase, 'databaseUrl'>>,
  environment: Record<string, string>,
): Promise<KeeperProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'keeper-process-'))
  const { PATH = '', HOME = '' } = process.env
  const port = await findFreePort()
  const env = {
    PATH,
    HOME,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    KEEPER_DATA_DIR: folder,
    KEEPER_SECRET: 'a secret that several processes share, long enough',
    KEEPER_LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...environment,
  }
  const child: ChildProcess = spawn(process.execPath, [serverFile], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let stdout = ''
  let stderr = ''
  child.stderr?.on('data', (bytes) => (stderr += bytes))
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (bytes) => {
      stdout += bytes
      if (/Keeper is at [^\n]+\n$/.test(stdout) || /setup=\S+\n/.test(stdout)) resolve()
    })
    void exited.then(() => reject(new Error(`a process exited during startup: ${stderr}${stdout}`)))
  })
  return {
    address: `http://127.0.0.1:${port}`,
    stdout: () => stdout,
    stderr: () => stderr,
    setClockOffset: (offsetMs) => child.send(offsetMs),
    async end(signal) {
      child.kill(signal)
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Avoids the ephemeral ports, which another test's fake might take first. */
function findFreePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000)
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(findFreePort()))
    probe.listen(port, () => probe.close(() => resolve(port)))
  })
}

export interface ProcessCaller {
  id: string
  token: string
}

/** Makes a call to one process; `text` is the raw response. */
export async function callProcess<E extends Endpoint>(
  { address }: KeeperProcess,
  { token }: Pick<ProcessCaller, 'token'>,
  endpoint: E,
  options: Parameters<typeof toRequest>[1] = {},
): Promise<{ status: number; data: EndpointOutput<E>; text: string; error: unknown }> {
  const { path, init } = toRequest(endpoint, options)
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` }
  const response = await fetch(`${address}${path}`, { ...init, headers })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const body = isJson ? JSON.parse(text) : { data: text }
  return {
    status: response.status,
    data: endpoint.responseFormat === 'bare' ? body : body.data,
    text,
    error: body.error,
  }
}

export interface ProcessStream {
  status: number
  events(): { event: string; data: Record<string, unknown> }[]
  text(): string
  finished: Promise<void>
  /** Whether the server or the connection ended the stream. */
  isOver(): boolean
  close(): Promise<void>
}

/** Reads an event stream from one process. */
export async function streamFromProcess(
  { address }: KeeperProcess,
  { token }: Pick<ProcessCaller, 'token'>,
  endpoint: Endpoint,
  options: Parameters<typeof toRequest>[1] = {},
): Promise<ProcessStream> {
  const { path, init } = toRequest(endpoint, options)
  const baseHeaders = init.headers as Record<string, string>
  const headers = { ...baseHeaders, authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  const response = await fetch(`${address}${path}`, { ...init, headers })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let received = ''
  let isFinished = false
  const finished = (async () => {
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        received += decoder.decode(value, { stream: true })
      }
    } catch {
      // The process was killed.
    } finally {
      isFinished = true
    }
  })()
  return {
    status: response.status,
    text: () => received,
    events: () => parseCompleteEvents(received),
    finished,
    isOver: () => isFinished,
    close: () => reader.cancel().catch(() => undefined),
  }
}

function parseCompleteEvents(text: string): { event: string; data: Record<string, unknown> }[] {
  return text
    .slice(0, text.lastIndexOf('\n\n') + 1)
    .split('\n\n')
    .flatMap((block) => {
      const [, event, data] = /^event: (.+)\ndata: (.+)/.exec(block) ?? []
      return event && data ? [{ event, data: JSON.parse(data) }] : []
    })
}

/** The status of a custom host's page. */
export function fetchHostStatus({ address }: KeeperProcess, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${address}/`, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .once('error', reject)
      .end()
  })
}
