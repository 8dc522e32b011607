import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  median,
  readProcessUsage,
  report,
  root,
  startKeeper,
  stopProcess,
  waitUntilReachable,
} from '../bench/measure.ts'
import { Inspector } from './load/inspector.ts'
import { LoadClient } from './load/load-client.ts'
import { pace } from './load/pace.ts'
import { createPeople, type LoadPerson } from './load/people.ts'
import { ActionMix, createStreamedActions, everydayActions, refusedActions, signInAndOut } from './load/user-actions.ts'

// An hour of all user actions: the heap grows by less than 1 MB, no descriptor or timer stays, the write-ahead log is bounded.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    'per-second': { type: 'string', default: '40' },
    'control-minutes': { type: 'string', default: '2' },
    'warm-up-minutes': { type: 'string', default: '6' },
    'warm-up-per-second': { type: 'string', default: '200' },
  },
})
const perSecond = Number(values['per-second'])
const warmUp = { seconds: Number(values['warm-up-minutes']) * 60, perSecond: Number(values['warm-up-per-second']) }
const maxWalMb = 32
const [port, providerPort, inspectorPort] = [15_851, 15_852, 15_853]

interface Sample {
  hours: number
  heapMb: number
  codeMb: number
  bufferMb: number
  residentMb: number
  descriptors: string[]
  timers: number
  sockets: number
}

interface SoakResult {
  samples: Sample[]
  maxWalMb: number
  failedCount: number
  failures: string[]
  actionCount: number
  cpuMsPerAction: number
}

const provider = spawn(process.execPath, ['bench/fake-provider.ts', String(providerPort)], {
  cwd: root,
  stdio: 'inherit',
})
process.once('exit', () => provider.kill('SIGKILL'))
await waitUntilReachable(`http://127.0.0.1:${providerPort}/`)

interface Load {
  minutes: number
  pauseIntervalSeconds: number
  warmUpSeconds: number
  nodeOptions?: string
}

async function runSoak({ minutes, pauseIntervalSeconds, warmUpSeconds, nodeOptions = '' }: Load): Promise<SoakResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-soak-'))
  const address = `http://127.0.0.1:${port}`
  const keeper = await startKeeper({
    PORT: String(port),
    KEEPER_DATA_DIR: dataDir,
    // A backup delays checkpoints of the write-ahead log.
    KEEPER_NIGHTLY_BACKUPS: '0',
    OPENAI_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
    KEEPER_REGISTRATIONS_PER_HOUR: '10000',
    NODE_OPTIONS: `${nodeOptions} --inspect=127.0.0.1:${inspectorPort} --inspect-publish-uid=http`,
  })
  const client = new LoadClient(address)
  const people = await createPeople(client, 100)
  const inspector = await Inspector.open(inspectorPort)
  await openEveryThread(client, people)
  const mix = new ActionMix(client, people, [
    ...everydayActions,
    signInAndOut,
    ...refusedActions,
    ...createStreamedActions(5),
  ])
  const samples: Sample[] = []
  let maxWalBytes = 0
  let unfinishedCount = (await pace(warmUp.perSecond, warmUpSeconds, () => mix.runOne())).unfinished
  const getWalSize = () =>
    readdirSync(dataDir)
      .filter((name) => name.endsWith('-wal'))
      .reduce((total, name) => total + statSync(join(dataDir, name)).size, 0)
  const walTimer = setInterval(() => (maxWalBytes = Math.max(maxWalBytes, getWalSize())), 10_000)
  const startedAt = performance.now()
  const countActions = () => [...mix.counts.values()].reduce((total, count) => total + count, 0)
  const totalsBefore = { cpuMs: readProcessUsage(keeper.process).cpuMs, actionCount: countActions() }
  const end = startedAt + minutes * 60_000
  while (performance.now() < end) {
    const { unfinished } = await pace(perSecond, pauseIntervalSeconds, () => mix.runOne())
    unfinishedCount += unfinished
    client.close()
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { heapBytes, codeBytes, bufferBytes, timers, sockets } = await inspector.measureHeap()
    const sample = {
      hours: (performance.now() - startedAt) / 3_600_000,
      heapMb: heapBytes / 2 ** 20,
      codeMb: codeBytes / 2 ** 20,
      bufferMb: bufferBytes / 2 ** 20,
      residentMb: readProcessUsage(keeper.process).residentMb,
      descriptors: listDescriptors(keeper.process.pid),
      timers,
      sockets,
    }
    samples.push(sample)
    const { heapMb, codeMb, bufferMb, residentMb, descriptors } = sample
    console.error(
      `${(sample.hours * 60).toFixed(1)} min  heap ${heapMb.toFixed(2)} MB  of it code ${codeMb.toFixed(2)} MB  buffers ${bufferMb.toFixed(2)} MB  resident ${residentMb.toFixed(0)} MB  ` +
        `${descriptors.length} descriptors  ${timers} timers  ${sockets} sockets  log ${(getWalSize() / 2 ** 20).toFixed(1)} MB  failed ${mix.failed}  load ${loadavg()[0]?.toFixed(1)}`,
    )
  }
  const actionCount = countActions()
  const cpuMsPerAction =
    (readProcessUsage(keeper.process).cpuMs - totalsBefore.cpuMs) / (actionCount - totalsBefore.actionCount)
  clearInterval(walTimer)
  inspector.close()
  await keeper.stop()
  rmSync(dataDir, { recursive: true })
  const { failures } = mix
  const failedCount = mix.failed + unfinishedCount
  return { samples, maxWalMb: maxWalBytes / 2 ** 20, failedCount, failures, actionCount, cpuMsPerAction }
}

/** Opens all reader threads before the samples, because staying open isn't a leak. */
async function openEveryThread(client: LoadClient, people: readonly LoadPerson[]): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await Promise.all(
      people.map(({ token, keeperId }) =>
        client.request('GET', `/api/keeper/keepers/${keeperId}/memory-cards/search?query=harbour`, { token }),
      ),
    )
  }
}

function listDescriptors(pid: number | undefined): string[] {
  const descriptorFolder = `/proc/${pid}/fd`
  return readdirSync(descriptorFolder).flatMap((descriptor) => {
    try {
      return [readlinkSync(join(descriptorFolder, descriptor)).replace(/:\[\d+\]$/, '')]
    } catch {
      return []
    }
  })
}

function formatIncrease(earlierDescriptors: string[], laterDescriptors: string[]): string {
  const addedByName = Map.groupBy(laterDescriptors, (descriptor) => descriptor)
  for (const descriptor of earlierDescriptors) addedByName.get(descriptor)?.pop()
  return [...addedByName].flatMap(([name, added]) => (added.length > 0 ? [`${added.length} x ${name}`] : [])).join(', ')
}

/** MB per hour: the median slope of all pairs, without the first sixth as warm-up. */
function getSlope(samples: Sample[]): number {
  const settled = samples.slice(Math.ceil(samples.length / 6))
  const getRetainedMb = ({ heapMb, bufferMb }: Sample) => heapMb + bufferMb
  const slopes = settled.flatMap((earlier, index) =>
    settled
      .slice(index + 1)
      .map((later) => (getRetainedMb(later) - getRetainedMb(earlier)) / (later.hours - earlier.hours)),
  )
  return median(slopes)
}

function getGrowth(samples: Sample[], getValue: (sample: Sample) => number, summarize = median): number {
  const settled = samples.slice(Math.ceil(samples.length / 6))
  const third = Math.ceil(settled.length / 3)
  return summarize(settled.slice(-third).map(getValue)) - summarize(settled.slice(0, third).map(getValue))
}

/** Uses minimums, because temporary handles are missing in some samples. */
const getMinGrowth = (samples: Sample[], getValue: (sample: Sample) => number) =>
  getGrowth(samples, getValue, (counts) => Math.min(...counts))

const plantedSoak = await runSoak({
  minutes: Number(values['control-minutes']),
  pauseIntervalSeconds: 10,
  warmUpSeconds: 0,
  nodeOptions: `--import=${import.meta.resolve('./load/planted-leak.ts')}`,
})
const plantedSlope = getSlope(plantedSoak.samples)
report(
  'control: a server that leaks a few KB per request',
  `noticed: ${plantedSlope.toFixed(0)} MB per hour`,
  'must be noticed',
  plantedSlope > 10,
)

for (const [name, getValue] of [
  ['file descriptors', ({ descriptors }: Sample) => descriptors.length],
  ['timers', ({ timers }: Sample) => timers],
] as const) {
  const growth = getMinGrowth(plantedSoak.samples, getValue)
  report(`control: leaked ${name} every 200 requests`, `noticed: ${growth}`, 'must be noticed', growth > 0)
}

const minutes = Number(values.minutes)
const pauseIntervalSeconds = Math.min(60, (minutes * 60) / 12)
const soak = await runSoak({ minutes, pauseIntervalSeconds, warmUpSeconds: warmUp.seconds })
const { samples } = soak
const slope = getSlope(samples)
const last = samples.at(-1)
report(
  `heap after collection over ${minutes} min of ${perSecond} actions per second`,
  `${slope.toFixed(2)} MB per hour (${samples[0]?.heapMb.toFixed(1)} MB at first, ${last?.heapMb.toFixed(1)} MB at the end, of all threads, ` +
    `including compiled code ${samples[0]?.codeMb.toFixed(1)} and ${last?.codeMb.toFixed(1)} MB; ` +
    `${soak.cpuMsPerAction.toFixed(2)} ms of CPU per action)`,
  'less than 1 MB per hour',
  slope < 1,
)
const residentGrowth = getGrowth(samples, ({ residentMb }) => residentMb)
report(
  'resident memory from the first third to the last',
  `${residentGrowth.toFixed(1)} MB more (${last?.residentMb.toFixed(0)} MB at the end)`,
  '30 MB',
  residentGrowth <= 30,
)
for (const [name, getValue] of [
  ['file descriptors', ({ descriptors }: Sample) => descriptors.length],
  ['timers', ({ timers }: Sample) => timers],
  ['sockets', ({ sockets }: Sample) => sockets],
] as const) {
  const growth = getMinGrowth(samples, getValue)
  report(`${name} that stayed`, `${growth} (${last ? getValue(last) : 0} at the end)`, '0', growth <= 0)
}
const settled = samples[Math.ceil(samples.length / 6)]
console.error(
  `new descriptors at the end: ${formatIncrease(settled?.descriptors ?? [], last?.descriptors ?? []) || 'none'}`,
)
report('largest write-ahead log', `${soak.maxWalMb.toFixed(1)} MB`, `${maxWalMb} MB`, soak.maxWalMb <= maxWalMb)
report(
  'actions with an unexpected result',
  `${soak.failedCount} of ${soak.actionCount.toLocaleString('en-US')}${soak.failures.length > 0 ? `: ${soak.failures.slice(0, 3).join(' | ')}` : ''}`,
  '0',
  soak.failedCount === 0,
)
await stopProcess(provider)
