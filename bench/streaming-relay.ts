import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  killAtExit,
  percentile,
  readProcessUsage,
  registerPerson,
  report,
  root,
  startKeeper,
  stopProcess,
  waitUntilReachable,
} from './measure.ts'

// Targets, added to a direct request to the provider: 3 ms to the first token at p50 (9 ms with 20 chats), 12 ms to a
// whole chat with 20, 50 ms to a token at p95 with 500 chats. At most 0.2 ms of CPU per token and 400 MB.

const port = 15_806
const providerPort = 15_807
const baselinePort = 15_808
const chunkCount = 100
const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const provider = spawn(process.execPath, ['bench/fake-provider.ts', String(providerPort)], {
  cwd: root,
  stdio: 'inherit',
})
killAtExit(provider)
const baselineRelay = spawn(process.execPath, ['bench/baseline-relay.ts', String(baselinePort), String(providerPort)], {
  cwd: root,
  stdio: 'inherit',
})
killAtExit(baselineRelay)
await waitUntilReachable(`http://127.0.0.1:${providerPort}/`)
await waitUntilReachable(`http://127.0.0.1:${baselinePort}/`)
const keeper = await startKeeper({
  PORT: String(port),
  KEEPER_DATA_DIR: dataDir,
  OPENAI_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
})
// A single person can't follow 500 runs.
const authTokens = await Promise.all(
  Array.from({ length: 20 }, (_, index) => registerPerson(`http://127.0.0.1:${port}`, `bench-${index}@keeper.example`)),
)
let startedRuns = 0
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

interface StreamTimes {
  firstTokenMs: number
  wholeMs: number
  delaysMs: number[]
}

/** Reads one stream. Each chunk contains its send time as `<milliseconds>`. */
function readStream(target: {
  port: number
  path: string
  headers: Record<string, string>
  body: string
}): Promise<StreamTimes> {
  return new Promise((resolve, reject) => {
    const requestedAt = performance.now()
    let firstTokenMs = 0
    const delaysMs: number[] = []
    const outgoingRequest = request({ ...target, host: '127.0.0.1', method: 'POST', agent }, (answer) => {
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        for (const [, sentAt] of chunk.matchAll(/<(\d+\.\d)>/g)) {
          if (delaysMs.length === chunkCount) break
          firstTokenMs ||= performance.now() - requestedAt
          delaysMs.push(performance.timeOrigin + performance.now() - Number(sentAt))
        }
      })
      answer.on('end', () => resolve({ firstTokenMs, wholeMs: performance.now() - requestedAt, delaysMs }))
    })
    outgoingRequest.on('error', reject)
    outgoingRequest.end(target.body)
  })
}

type AnswerLength = 'short' | 'long'
const jsonHeaders = { 'content-type': 'application/json' }
const createChatRequest = (port: number) => (length: AnswerLength) =>
  readStream({
    port,
    path: '/v1/chat/completions',
    headers: jsonHeaders,
    body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: length }] }),
  })
const streamDirectly = createChatRequest(providerPort)
const streamThroughBaseline = createChatRequest(baselinePort)
const streamThroughKeeper = (length: AnswerLength) =>
  readStream({
    port,
    path: '/api/kip/agents',
    headers: {
      ...jsonHeaders,
      accept: 'text/event-stream',
      authorization: `Bearer ${authTokens[startedRuns++ % authTokens.length]}`,
    },
    body: JSON.stringify({ action: 'run', agentId: 'code-agent', input: length }),
  })

async function runRounds(
  count: number,
  concurrency: number,
  stream: () => Promise<StreamTimes>,
): Promise<StreamTimes[]> {
  const streams: StreamTimes[] = []
  for (let round = 0; round < count; round++)
    streams.push(...(await Promise.all(Array.from({ length: concurrency }, stream))))
  return streams
}
const getMedian = (streams: StreamTimes[], time: 'firstTokenMs' | 'wholeMs') =>
  percentile(
    streams.map((stream) => stream[time]),
    0.5,
  )
const getDelayPercentile = (streams: StreamTimes[], share: number) =>
  percentile(
    streams.flatMap((stream) => stream.delaysMs),
    share,
  )

function reportAdded(metric: string, addedMs: number, baselineMs: number, maxMs: number): void {
  report(
    metric,
    `${addedMs.toFixed(1)} ms, the baseline's ${baselineMs.toFixed(1)} ms`,
    `${maxMs} ms`,
    addedMs <= maxMs,
  )
}

async function warmUp(): Promise<void> {
  for (const stream of [streamThroughKeeper, streamDirectly, streamThroughBaseline])
    await runRounds(50, 20, () => stream('short'))
}

await warmUp()
const rounds = 5
for (const [concurrency, maxMs] of [
  [1, 3],
  [20, 9],
] as const) {
  const direct: StreamTimes[] = []
  const baseline: StreamTimes[] = []
  const keeperTimes: StreamTimes[] = []
  const count = concurrency === 1 ? 8 : 5
  // Alternating, so that a temporary slowdown affects all.
  for (let round = 0; round < rounds; round++) {
    direct.push(...(await runRounds(count, concurrency, () => streamDirectly('short'))))
    baseline.push(...(await runRounds(count, concurrency, () => streamThroughBaseline('short'))))
    keeperTimes.push(...(await runRounds(count, concurrency, () => streamThroughKeeper('short'))))
  }
  const chats = concurrency === 1 ? 'alone' : `with ${concurrency} concurrent chats`
  const measureAdded = (streams: StreamTimes[], time: 'firstTokenMs' | 'wholeMs') =>
    getMedian(streams, time) - getMedian(direct, time)
  reportAdded(
    `first token ${chats}`,
    measureAdded(keeperTimes, 'firstTokenMs'),
    measureAdded(baseline, 'firstTokenMs'),
    maxMs,
  )
  if (concurrency === 20)
    reportAdded(`whole chat ${chats}`, measureAdded(keeperTimes, 'wholeMs'), measureAdded(baseline, 'wholeMs'), 12)
}

const direct500 = await runRounds(1, 500, () => streamDirectly('long'))
const baseline500 = await runRounds(1, 500, () => streamThroughBaseline('long'))
const cpuMsBefore = readProcessUsage(keeper.process).cpuMs
const streams500 = await runRounds(1, 500, () => streamThroughKeeper('long'))
const { cpuMs, residentMb } = readProcessUsage(keeper.process)
const tokens = streams500.reduce((total, stream) => total + stream.delaysMs.length, 0)
const cpuMsPerToken = (cpuMs - cpuMsBefore) / tokens
report(
  'CPU per token with 500 concurrent chats',
  `${cpuMsPerToken.toFixed(3)} ms over ${tokens} tokens`,
  '0.2 ms',
  cpuMsPerToken <= 0.2,
)
reportAdded(
  'p95 added to each token with 500 concurrent chats',
  getDelayPercentile(streams500, 0.95) - getDelayPercentile(direct500, 0.95),
  getDelayPercentile(baseline500, 0.95) - getDelayPercentile(direct500, 0.95),
  50,
)
report('resident memory with 500 concurrent chats', `${residentMb.toFixed(0)} MB`, '400 MB', residentMb <= 400)

agent.destroy()
await keeper.stop()
await stopProcess(baselineRelay)
await stopProcess(provider)
rmSync(dataDir, { recursive: true })
