import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatMs, report } from '../bench/measure.ts'
import type { Defect } from './faults/planted-defect.ts'
import { startServer } from './faults/server-process.ts'
import { LatencyHistogram } from './load/latency-histogram.ts'
import { LoadClient } from './load/load-client.ts'
import { pace } from './load/pace.ts'
import { createPeople } from './load/people.ts'
import { ActionMix, everydayActions } from './load/user-actions.ts'

// While a provider is down, other calls stay below 1.2 times their quiet p95; after five failures, chats fail within 50 ms.

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '40' } } })
const seconds = Number(values.seconds)
const [actionsPerSecond, chatsPerSecond] = [30, 10]

type FailureMode = 'hangs up' | 'never responds'

async function startDeadProvider() {
  const openSockets = new Set<Socket>()
  let mode: FailureMode = 'hangs up'
  let requestCount = 0
  const server = createServer((socket) => {
    openSockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => openSockets.delete(socket))
    socket.on('data', () => {
      requestCount += 1
      if (mode === 'hangs up') socket.resetAndDestroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    getRequestCount: () => requestCount,
    setMode: (newMode: FailureMode) => (mode = newMode),
    close() {
      server.close()
      for (const socket of openSockets) socket.destroy()
    },
  }
}

interface OutageMetrics {
  everydayLatency: LatencyHistogram
  chatLatency: LatencyHistogram
  requestCount: number
  failures: string[]
}

async function measure(
  modes: readonly (FailureMode | 'quiet')[],
  defect?: Defect,
): Promise<Map<string, OutageMetrics>> {
  const provider = await startDeadProvider()
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-down-'))
  const environment = {
    OPENAI_BASE_URL: provider.url,
    OPENAI_API_KEY: 'gate-key',
    KEEPER_REGISTRATIONS_PER_HOUR: '1000',
    KEEPER_RUNS_PER_PERSON: '1000',
  }
  const server = await startServer({ dataDir, environment, ...(defect && { defect }) })
  const setupClient = new LoadClient(server.address)
  const people = await createPeople(setupClient, 20)
  setupClient.close()
  const metricsByMode = new Map<string, OutageMetrics>()
  const writers = people.slice(0, 10)
  await runEverydayActions(server.address, writers, 10, { everydayLatency: new LatencyHistogram(), failures: [] })
  for (const mode of modes) {
    if (mode !== 'quiet') provider.setMode(mode)
    const countBefore = provider.getRequestCount()
    const emptyMetrics = {
      everydayLatency: new LatencyHistogram(),
      chatLatency: new LatencyHistogram(),
      requestCount: 0,
      failures: [],
    }
    const outcome: OutageMetrics = metricsByMode.get(mode) ?? emptyMetrics
    await Promise.all([
      runEverydayActions(server.address, writers, seconds, outcome),
      mode === 'quiet' ? undefined : sendChats(server.address, people.slice(10), outcome.chatLatency),
    ])
    outcome.requestCount += provider.getRequestCount() - countBefore
    metricsByMode.set(mode, outcome)
  }
  await server.end('SIGKILL')
  provider.close()
  rmSync(dataDir, { recursive: true })
  return metricsByMode
}

type People = Awaited<ReturnType<typeof createPeople>>

async function runEverydayActions(
  address: string,
  people: People,
  durationSeconds: number,
  { everydayLatency, failures }: Pick<OutageMetrics, 'everydayLatency' | 'failures'>,
) {
  const client = new LoadClient(address)
  client.onResponse = ({ ms }) => everydayLatency.add(ms)
  const mix = new ActionMix(client, people, everydayActions)
  await pace(actionsPerSecond, durationSeconds, () => mix.runOne())
  client.close()
  failures.push(...mix.failures)
}

/** Chats without a session, so that they don't wait for each other; timed after the first five, which fail like all others. */
async function sendChats(address: string, people: People, latency: LatencyHistogram): Promise<void> {
  const client = new LoadClient(address, 512)
  let [startedChats, finishedChats] = [0, 0]
  const sendChat = async () => {
    const person = people[startedChats++ % people.length]
    if (!person) return
    const isTimed = finishedChats >= 5
    const body = { action: 'run', agentId: person.agentId, input: 'What does the harbour say?' }
    const { ms } = await client.request('POST', '/api/kip/agents', { token: person.token, body })
    finishedChats += 1
    if (isTimed) latency.add(ms)
  }
  await pace(chatsPerSecond, seconds, () => sendChat().catch(() => undefined), { drainTimeoutMs: 0 })
  client.close()
}

// Quiet phases before, between and after compensate for a machine that gets slower.
const outageMetrics = await measure(['quiet', 'hangs up', 'quiet', 'never responds', 'quiet'])
const quietP95Ms = outageMetrics.get('quiet')?.everydayLatency.getQuantile(0.95) ?? Number.NaN
for (const mode of ['hangs up', 'never responds'] as const) {
  const { everydayLatency, failures } = outageMetrics.get(mode)!
  const slowdown = everydayLatency.getQuantile(0.95) / quietP95Ms
  report(
    `journals while a provider ${mode}, with ${chatsPerSecond} chats per second`,
    `p95 ${formatMs(everydayLatency.getQuantile(0.95))}, ${slowdown.toFixed(2)} × the quiet ${formatMs(quietP95Ms)}; ${failures.length} actions failed${failures.length > 0 ? `: ${failures[0]}` : ''}`,
    '1.2 ×, 0',
    slowdown < 1.2 && failures.length === 0,
  )
}
const { chatLatency, requestCount } = outageMetrics.get('hangs up')!
// Five chats, one concurrent with the fifth, then one every ten seconds, each tried three times.
const maxRequests = 3 * (5 + 1 + Math.ceil(seconds / 10))
report(
  'chats with a provider that hangs up, after five failures',
  `${chatLatency.count} with p95 ${formatMs(chatLatency.getQuantile(0.95))}; ${requestCount} requests to the provider`,
  `50 ms; ${maxRequests} requests`,
  chatLatency.count > 0 && chatLatency.getQuantile(0.95) <= 50 && requestCount <= maxRequests,
)
const control = await measure(['hangs up'], {
  file: 'server/models/breaker.ts',
  from: 'const failuresToOpen = 5',
  to: 'const failuresToOpen = 1e9',
})
const controlRequestCount = control.get('hangs up')!.requestCount
report(
  'control: a circuit breaker that never opens',
  `${controlRequestCount} requests to the provider`,
  'must be noticed',
  controlRequestCount > maxRequests,
)
