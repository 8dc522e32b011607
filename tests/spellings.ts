import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path/posix'
import { type EndpointEntry, listEndpoints } from '#contract/index.ts'
import type { Engine } from '#server/db/database.ts'
import { createWebFiles, type WebFiles } from '#server/http/web-files.ts'
import { startListeningApp } from './listening-app.ts'
import { measureSettledMiB } from './memory-usage.ts'
import { toRequest } from './test-app.ts'

// quality/spellings.ts requests each public address in 2,000 spellings, tests/spellings.test.ts in fewer.

export interface PublicRequest {
  method: string
  path: string
  body?: string
}

/** Normal fluctuation of memory usage. */
export const maxGrowthMiB = 12
const concurrency = 16

/** Each `n` gives another spelling of the path, or of a path that doesn't exist. */
const variations: ((path: string, n: number) => string)[] = [
  (path, n) => `${path}?v=${n}`,
  (path, n) => '/'.repeat(n + 1) + path,
  (path, n) => path.replace(/\/(?=[^/]*$)/, '/'.repeat(n + 2)),
  (path, n) => '/.'.repeat(n + 1) + path,
  (path, n) => path.replace(/\/(?=[^/]*$)/, '/%2e'.repeat(n + 1).concat('/')),
  (path, n) => `/x${n}/..${path}`,
  (path, n) => `/x${n}/%2E%2e${path}`,
  (path, n) => changeLetters(path, n, (character) => `%${character.charCodeAt(0).toString(16)}`),
  (path, n) => changeLetters(path, n, (character) => character.toUpperCase()),
  (path, n) => path + '/'.repeat(n + 1),
  (path, n) => `${path};v=${n}`,
  (path, n) => `${path}%00${n}`,
  (path, n) => path.replaceAll('/', '\\'.repeat(n + 1)),
  (path, n) => `${path}.${n}.js`,
  (path, n) => `${path}/${n}`,
]
const encodings = ['gzip', 'br', 'identity', 'gzip;q=0.5, br;q=0', 'br;q=0, *']

/** Changes the letters whose bit is set in the number, lowest bit first. */
function changeLetters(path: string, n: number, change: (character: string) => string): string {
  let bits = n + 1
  return path.replace(/[a-z]/g, (character) => {
    const isChanged = bits % 2 === 1
    bits = Math.floor(bits / 2)
    return isChanged ? change(character) : character
  })
}

export function createSpelling(path: string, number: number): string {
  const vary = variations[number % variations.length] ?? String
  return vary(path, Math.floor(number / variations.length))
}

/** The pages, built files and public calls. */
export function listPublicRequests(files: readonly string[]): PublicRequest[] {
  const calls = listEndpoints().filter(({ endpoint }) => endpoint.access === 'public')
  return [
    ...['/', '/login', '/register', '/keeper', '/debug', '/favicon.ico', '/api/openapi.json', '/api/internal/tls-ask'],
    ...files,
  ]
    .map((path): PublicRequest => ({ method: 'HEAD', path }))
    .concat(calls.map(toPublicRequest))
}

function toPublicRequest({ endpoint }: EndpointEntry): PublicRequest {
  const { path, init } = toRequest(endpoint)
  const body = init.body as string | undefined
  return { method: endpoint.method, path, ...(body !== undefined && { body }) }
}

/** A build folder with one large script. */
export function createSmallBuild(): { directory: string; files: string[]; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), 'keeper-spellings-'))
  mkdirSync(join(directory, 'assets'))
  for (const page of ['index', 'landing', 'login', 'register']) writeFileSync(join(directory, `${page}.html`), page)
  writeFileSync(join(directory, 'icon.svg'), '<svg/>')
  // Distinct numbers compress poorly.
  const numbers = Array.from({ length: 150_000 }, (_, index) => (index * 2_654_435_761) % 999_983)
  writeFileSync(join(directory, 'assets/app-1a2b.js'), numbers.join('\n'))
  return { directory, files: ['/assets/app-1a2b.js'], remove: () => rmSync(directory, { recursive: true }) }
}

/** Planted defect: caches files by requested path. */
export function createSpellingCache(directory: string): WebFiles {
  const cache = new Map<string, Uint8Array<ArrayBuffer>>()
  const read = (file: string) =>
    statSync(file, { throwIfNoEntry: false })?.isFile() ? new Uint8Array(readFileSync(file)) : undefined
  return {
    async serve(_, path) {
      const file = join(directory, normalize(path).replaceAll('\0', ''))
      const bytes = cache.get(path) ?? read(file)
      if (!bytes) return new Response('This file doesn’t exist.', { status: 404 })
      cache.set(path, bytes)
      return new Response(bytes)
    },
  }
}

/** Planted defect: caches pages per reader. */
export function createReaderCache(directory: string): WebFiles {
  const cache = new Map<string, Buffer>()
  const web = createWebFiles(directory)
  return {
    async serve(request, path) {
      const reader = ['host', 'accept-language', 'user-agent'].map((name) => request.headers.get(name)).join()
      cache.set(reader, Buffer.alloc(100_000, 1))
      return web.serve(request, path)
    },
  }
}

export interface SpellingResult {
  requests: number
  statuses: Record<number, number>
  baselineMiB: number
  growthMiB: number
}

/** Requests each address in `times` spellings by different readers and compares memory usage. */
export async function requestSpellings(
  engine: Engine,
  web: WebFiles,
  addresses: readonly PublicRequest[],
  times: number,
): Promise<SpellingResult> {
  const listening = await startListeningApp(engine, web)
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const statuses: Record<number, number> = {}
  const send = ({ method, path, body }: PublicRequest, number: number) =>
    new Promise<void>((resolve, reject) => {
      const headers = {
        host: number % 2 === 0 ? 'localhost' : `h${number}.localhost`,
        'accept-language': `de-${number}, en;q=0.5`,
        'user-agent': `reader/${number}`,
        'accept-encoding': encodings[number % encodings.length],
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      }
      const outgoing = request(
        { host: '127.0.0.1', port: listening.port, method, path: createSpelling(path, number), headers, agent },
        (answer) => {
          const status = answer.statusCode ?? 0
          statuses[status] = (statuses[status] ?? 0) + 1
          answer.resume().once('close', resolve)
        },
      )
      outgoing.once('error', reject).end(body)
    })
  const sendAll = async (from: number, to: number) => {
    for (const address of addresses)
      for (let number = from; number < to; number += concurrency)
        await Promise.all(
          Array.from({ length: Math.min(concurrency, to - number) }, (_, index) => send(address, number + index)),
        )
    // Test logs stay in memory.
    listening.app.logLines.length = 0
  }
  try {
    // Excludes one-time work such as compilation.
    const warmUpCount = Math.ceil(times / 10)
    await sendAll(0, warmUpCount)
    const baselineMiB = await measureSettledMiB()
    await sendAll(warmUpCount, times)
    const growthMiB = (await measureSettledMiB()) - baselineMiB
    return { requests: addresses.length * times, statuses, baselineMiB, growthMiB }
  } finally {
    agent.destroy()
    await listening.close()
  }
}
