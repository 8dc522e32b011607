import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readProcessUsage, report, root, startKeeper, stopProcess, waitUntilReachable } from '../bench/measure.ts'
import { Inspector } from './load/inspector.ts'
import { LatencyHistogram } from './load/latency-histogram.ts'
import { LoadClient } from './load/load-client.ts'
import { createPeople } from './load/people.ts'

// 500 chats of 20 tokens per second: no error, no lost token, p95 at most 50 ms over direct provider streams, at most 400 MB.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    streams: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '60' },
    'control-seconds': { type: 'string', default: '20' },
  },
})
const streamsPerPerson = 4
const tokensPerSecond = 20
const directStreamCount = 20
const [port, providerPort, inspectorPort] = [15_854, 15_855, 15_856]
const providerAddress = `http://127.0.0.1:${providerPort}`

const provider = spawn(process.execPath, ['bench/fake-provider.ts', String(providerPort)], {
  cwd: root,
  stdio: 'inherit',
})
process.once('exit', () => provider.kill('SIGKILL'))
await waitUntilReachable(`${providerAddress}/`)

interface StreamMeasurement {
  relayed: LatencyHistogram
  direct: LatencyHistogram
  chatCount: number
  errors: string[]
  residentMb: { before: number; max: number; after: number }
  heapMb: { before: number; after: number }
  cpuMsPerToken: number
  busyCores: number
}

async function runChats(
  streamCount: number,
  seconds: number,
  secondsPerChat: number,
  nodeOptions = '',
): Promise<StreamMeasurement> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-streams-'))
  const keeper = await startKeeper({
    PORT: String(port),
    KEEPER_DATA_DIR: dataDir,
    OPENAI_BASE_URL: `${providerAddress}/v1`,
    KEEPER_REGISTRATIONS_PER_HOUR: '10000',
    NODE_OPTIONS: `${nodeOptions} --inspect=127.0.0.1:${inspectorPort} --inspect-publish-uid=http`,
  })
  const client = new LoadClient(`http://127.0.0.1:${port}`)
  const providerClient = new LoadClient(providerAddress)
  const people = await createPeople(client, Math.ceil(streamCount / streamsPerPerson))
  const inspector = await Inspector.open(inspectorPort)
  const tokenCount = secondsPerChat * tokensPerSecond
  const input = `pieces=${tokenCount}`
  const runChat = async (
    number: number,
    histogram: LatencyHistogram,
    tokens = tokenCount,
  ): Promise<string | undefined> => {
    const person = people[number % people.length]
    if (!person) return 'no people'
    const body = { action: 'run', agentId: person.agentId, input: `pieces=${tokens}` }
    const reader = createTokenReader(histogram)
    const stream = await client.stream('POST', '/api/kip/agents', { token: person.token, body }, reader.read)
    const isFinished = await stream.finished
    if (stream.status !== 200) return `refused with ${stream.status}`
    if (!isFinished) return 'the connection broke'
    if (reader.getCount() !== tokens) return `${reader.getCount()} tokens of ${tokens}`
    return reader.isDone() ? undefined : 'no done event'
  }
  const streamDirectly = async (histogram: LatencyHistogram) => {
    const body = { model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: input }] }
    const stream = await providerClient.stream(
      'POST',
      '/v1/chat/completions',
      { body },
      createTokenReader(histogram).read,
    )
    await stream.finished
  }

  await Promise.all(Array.from({ length: 50 }, (_, number) => runChat(number, new LatencyHistogram(), 20)))
  const heapBytesBefore = (await inspector.measureHeap()).heapBytes
  const usageBefore = readProcessUsage(keeper.process)
  const errors: string[] = []
  const [relayed, direct] = [new LatencyHistogram(), new LatencyHistogram()]
  let chatCount = 0
  let maxResidentMb = 0
  const samplingTimer = setInterval(
    () => (maxResidentMb = Math.max(maxResidentMb, readProcessUsage(keeper.process).residentMb)),
    1000,
  )
  const startedAt = performance.now()
  const isRunning = () => performance.now() - startedAt < seconds * 1000
  const startWindowMs = Math.min(30, seconds / 4) * 1000
  await Promise.all([
    ...Array.from({ length: streamCount }, async (_, number) => {
      await new Promise((resolve) => setTimeout(resolve, (number / streamCount) * startWindowMs))
      while (isRunning()) {
        const error = await runChat(number, relayed).catch((thrown: Error) => thrown.message)
        chatCount += 1
        if (error) errors.push(error)
      }
    }),
    ...Array.from({ length: directStreamCount }, async () => {
      while (isRunning()) await streamDirectly(direct)
    }),
  ])
  clearInterval(samplingTimer)
  const elapsedMs = performance.now() - startedAt
  const { cpuMs } = readProcessUsage(keeper.process)
  await new Promise((resolve) => setTimeout(resolve, 5000))
  const heapBytesAfter = (await inspector.measureHeap()).heapBytes
  const residentAfter = readProcessUsage(keeper.process).residentMb
  inspector.close()
  client.close()
  await keeper.stop()
  rmSync(dataDir, { recursive: true })
  return {
    relayed,
    direct,
    chatCount,
    errors,
    residentMb: { before: usageBefore.residentMb, max: maxResidentMb, after: residentAfter },
    heapMb: { before: heapBytesBefore / 2 ** 20, after: heapBytesAfter / 2 ** 20 },
    cpuMsPerToken: (cpuMs - usageBefore.cpuMs) / relayed.count,
    busyCores: (cpuMs - usageBefore.cpuMs) / elapsedMs,
  }
}

/** The provider writes the send time into each piece, as `<milliseconds>`; chunks can end in the middle of one. */
function createTokenReader(histogram: LatencyHistogram) {
  let receivedCount = 0
  let pendingText = ''
  let isDone = false
  return {
    getCount: () => receivedCount,
    isDone: () => isDone,
    read(chunk: string) {
      if (isDone) return
      const text = pendingText + chunk
      // The last event repeats the whole answer, which must not hide lost tokens.
      const end = text.indexOf('event: done')
      isDone = end !== -1
      let readLength = 0
      for (const match of (isDone ? text.slice(0, end) : text).matchAll(/<(\d+\.\d)>/g)) {
        readLength = match.index + match[0].length
        receivedCount += 1
        histogram.add(performance.timeOrigin + performance.now() - Number(match[1]))
      }
      pendingText = text.slice(Math.max(readLength, text.length - 30))
    },
  }
}

const getAddedMs = ({ relayed, direct }: StreamMeasurement) => relayed.getQuantile(0.95) - direct.getQuantile(0.95)
const formatErrors = (errors: string[]) =>
  errors.length > 0 ? `${errors.length} (${[...new Set(errors)].slice(0, 3).join('; ')})` : '0'

const planted = await runChats(
  100,
  Number(values['control-seconds']),
  Number(values['control-seconds']) / 2,
  `--import=${import.meta.resolve('./load/planted-stall.ts')}`,
)
report(
  'control: a server that blocks twice a second and loses one of 2,000 chunks',
  `noticed: p95 ${getAddedMs(planted).toFixed(1)} ms added, errors ${formatErrors(planted.errors)}`,
  'must be noticed, both',
  getAddedMs(planted) > 50 && planted.errors.length > 0,
)

const streamCount = Number(values.streams)
const minutes = Number(values.minutes)
const outcome = await runChats(streamCount, minutes * 60, Number(values.seconds))
const { relayed, direct, residentMb, heapMb } = outcome
report(
  `errors over ${minutes} min of ${streamCount} concurrent chats`,
  `${formatErrors(outcome.errors)} of ${outcome.chatCount} chats with ${relayed.count.toLocaleString('en-US')} tokens; ` +
    `${outcome.cpuMsPerToken.toFixed(3)} ms of CPU per token, ${outcome.busyCores.toFixed(2)} cores; machine load ${loadavg()[1]?.toFixed(1)}`,
  '0',
  outcome.errors.length === 0,
)
report(
  `p95 added to each token with ${streamCount} concurrent chats`,
  `${getAddedMs(outcome).toFixed(1)} ms (${relayed.getQuantile(0.95).toFixed(1)} ms; direct ${direct.getQuantile(0.95).toFixed(1)} ms; ` +
    `p50 ${relayed.getQuantile(0.5).toFixed(1)} and ${direct.getQuantile(0.5).toFixed(1)} ms, the longest ${relayed.max.toFixed(0)} and ${direct.max.toFixed(0)} ms)`,
  '50 ms',
  getAddedMs(outcome) <= 50,
)
report(
  `resident memory with ${streamCount} concurrent chats`,
  `${residentMb.max.toFixed(0)} MB (${residentMb.before.toFixed(0)} MB before, ${residentMb.after.toFixed(0)} MB after)`,
  '400 MB',
  residentMb.max <= 400,
)
report(
  'heap after all chats have ended, compared to before',
  `${heapMb.after.toFixed(1)} MB after ${heapMb.before.toFixed(1)} MB, ${(heapMb.after / heapMb.before).toFixed(2)} ×`,
  '1.10 ×',
  heapMb.after <= heapMb.before * 1.1,
)
await stopProcess(provider)
