import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  percentile,
  readProcessUsage,
  registerPerson,
  report,
  root,
  startKeeper,
  stopProcess,
  untilAnswered,
} from './measure.ts'

// Adds at most 5 ms to the first token at p50 (15 ms with 20 chats), 0.2 ms of CPU per token, and 50 ms at p95 with 500 streams.

const port = 15_806
const providerPort = 15_807
const floorPort = 15_808
const chunkCount = 100
const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const provider = spawn(process.execPath, ['bench/floor-provider.ts', String(providerPort)], {
  cwd: root,
  stdio: 'inherit',
})
const floorRelay = spawn(process.execPath, ['bench/floor-relay.ts', String(floorPort), String(providerPort)], {
  cwd: root,
  stdio: 'inherit',
})
await untilAnswered(`http://127.0.0.1:${providerPort}/`)
await untilAnswered(`http://127.0.0.1:${floorPort}/`)
const keeper = await startKeeper({
  PORT: String(port),
  KEEPER_DATA_DIR: dataDir,
  OPENAI_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
})
// A single person can't follow 500 runs.
const bearers = await Promise.all(
  Array.from({ length: 20 }, (_, index) => registerPerson(`http://127.0.0.1:${port}`, `bench-${index}@keeper.example`)),
)
let startedRuns = 0
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

interface Streamed {
  firstTokenMs: number
  delaysMs: number[]
}

/** Reads one stream. Each piece contains its send time as `<milliseconds>`. */
function readStream(target: {
  port: number
  path: string
  headers: Record<string, string>
  body: string
}): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    const requestedAt = performance.now()
    let firstTokenMs = 0
    const delaysMs: number[] = []
    const sent = request({ ...target, host: '127.0.0.1', method: 'POST', agent }, (answer) => {
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        for (const [, at] of chunk.matchAll(/<(\d+\.\d)>/g)) {
          if (delaysMs.length === chunkCount) break
          firstTokenMs ||= performance.now() - requestedAt
          delaysMs.push(performance.timeOrigin + performance.now() - Number(at))
        }
      })
      answer.on('end', () => resolve({ firstTokenMs, delaysMs }))
    })
    sent.on('error', reject)
    sent.end(target.body)
  })
}

type Length = 'short' | 'long'
const json = { 'content-type': 'application/json' }
const createChatRequest = (port: number) => (length: Length) =>
  readStream({
    port,
    path: '/v1/chat/completions',
    headers: json,
    body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: length }] }),
  })
const direct = createChatRequest(providerPort)
const throughFloor = createChatRequest(floorPort)
const relayed = (length: Length) =>
  readStream({
    port,
    path: '/api/kip/agents',
    headers: {
      ...json,
      accept: 'text/event-stream',
      authorization: `Bearer ${bearers[startedRuns++ % bearers.length]}`,
    },
    body: JSON.stringify({ action: 'run', agentId: 'code-agent', input: length }),
  })

async function runRounds(count: number, concurrency: number, stream: () => Promise<Streamed>): Promise<Streamed[]> {
  const all: Streamed[] = []
  for (let round = 0; round < count; round++)
    all.push(...(await Promise.all(Array.from({ length: concurrency }, stream))))
  return all
}
const firstToken = (streams: Streamed[]) =>
  percentile(
    streams.map((stream) => stream.firstTokenMs),
    0.5,
  )
const delay = (streams: Streamed[], share: number) =>
  percentile(
    streams.flatMap((stream) => stream.delaysMs),
    share,
  )

function reportAdded(promise: string, addedMs: number, floorMs: number, barMs: number): void {
  report(promise, `${addedMs.toFixed(1)} ms, the floor's ${floorMs.toFixed(1)} ms`, `${barMs} ms`, addedMs <= barMs)
}

await runRounds(50, 20, () => relayed('short'))
await runRounds(50, 20, () => direct('short'))
await runRounds(50, 20, () => throughFloor('short'))
for (const [concurrency, barMs] of [
  [1, 5],
  [20, 15],
] as const) {
  const count = concurrency === 1 ? 40 : 24
  const provider = firstToken(await runRounds(count, concurrency, () => direct('short')))
  const floor = firstToken(await runRounds(count, concurrency, () => throughFloor('short'))) - provider
  reportAdded(
    `first token with ${concurrency} concurrent chats`,
    firstToken(await runRounds(count, concurrency, () => relayed('short'))) - provider,
    floor,
    barMs,
  )
}

const direct500 = await runRounds(1, 500, () => direct('long'))
const floor500 = await runRounds(1, 500, () => throughFloor('long'))
const cpuMsBefore = readProcessUsage(keeper.process).cpuMs
const streams500 = await runRounds(1, 500, () => relayed('long'))
const { cpuMs, residentMb } = readProcessUsage(keeper.process)
const tokens = streams500.reduce((total, stream) => total + stream.delaysMs.length, 0)
const perToken = (cpuMs - cpuMsBefore) / tokens
report(
  'CPU per token with 500 concurrent chats',
  `${perToken.toFixed(3)} ms over ${tokens} tokens`,
  '0.2 ms',
  perToken <= 0.2,
)
reportAdded(
  'p95 added to each token with 500 concurrent chats',
  delay(streams500, 0.95) - delay(direct500, 0.95),
  delay(floor500, 0.95) - delay(direct500, 0.95),
  50,
)
report('resident memory with 500 concurrent chats', `${residentMb.toFixed(0)} MB`, '400 MB', residentMb <= 400)

agent.destroy()
await keeper.stop()
await stopProcess(floorRelay)
await stopProcess(provider)
rmSync(dataDir, { recursive: true })
