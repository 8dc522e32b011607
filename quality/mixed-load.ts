import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatMs, readProcessUsage, report, startKeeper } from '../bench/measure.ts'
import { LatencyHistogram } from './load/latency-histogram.ts'
import { LoadClient } from './load/load-client.ts'
import { fillWithRows } from './load/many-rows.ts'
import { pace } from './load/pace.ts'
import { createPeople } from './load/people.ts'
import { ActionMix, everydayActions, refusedActions } from './load/user-actions.ts'

// 300 requests per second for ten minutes: p99 at most 150 ms, no 5xx. Then the rate increases until p99 exceeds 500 ms.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    'per-second': { type: 'string', default: '300' },
    rows: { type: 'string', default: '100000' },
    'step-seconds': { type: 'string', default: '10' },
    'control-seconds': { type: 'string', default: '15' },
  },
})
const port = 15_857
const address = `http://127.0.0.1:${port}`
const perSecond = Number(values['per-second'])
const peopleCount = 50
/** Average of the mix. */
const requestsPerAction = 1.2

interface LoadResult {
  times: LatencyHistogram
  serverErrors: number
  failures: string[]
  cpuMsPerRequest: number
  rate: number
}

async function runUnderLoad(
  nodeOptions: string,
  work: (load: (perSecond: number, seconds: number) => Promise<LoadResult>) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-mixed-'))
  const environment = { PORT: String(port), KEEPER_DATA_DIR: dataDir, KEEPER_REGISTRATIONS_PER_HOUR: '10000' }
  const first = await startKeeper(environment)
  const setupClient = new LoadClient(address)
  const loadPeople = await createPeople(setupClient, peopleCount)
  setupClient.close()
  await first.stop()
  const [heavyUser] = loadPeople
  if (!heavyUser) throw new Error('no people')
  const rows = Number(values.rows)
  fillWithRows(dataDir, { personId: heavyUser.id, keeperId: heavyUser.keeperId }, { moments: rows, cards: rows / 5 })
  const keeper = await startKeeper({ ...environment, NODE_OPTIONS: nodeOptions })
  const client = new LoadClient(address)
  const activePeople = [...loadPeople, ...Array.from({ length: peopleCount / 10 }, () => heavyUser)]
  await work(async (rate, seconds) => {
    const mix = new ActionMix(client, activePeople, [...everydayActions, ...refusedActions])
    const times = new LatencyHistogram()
    let serverErrors = 0
    client.onResponse = ({ status, ms }) => {
      times.add(ms)
      if (status >= 500) serverErrors += 1
    }
    const cpuBefore = readProcessUsage(keeper.process).cpuMs
    const startedAt = performance.now()
    const { unfinished } = await pace(rate / requestsPerAction, seconds, () => mix.runOne())
    const elapsedSeconds = (performance.now() - startedAt) / 1000
    client.onResponse = undefined
    const cpuMsPerRequest = (readProcessUsage(keeper.process).cpuMs - cpuBefore) / times.count
    return {
      times,
      serverErrors: serverErrors + unfinished,
      failures: mix.failures,
      cpuMsPerRequest,
      rate: times.count / elapsedSeconds,
    }
  })
  client.close()
  await keeper.stop()
  rmSync(dataDir, { recursive: true })
}

await runUnderLoad(`--import=${import.meta.resolve('./load/planted-scan.ts')}`, async (load) => {
  const { times, serverErrors } = await load(perSecond / 3, Number(values['control-seconds']))
  const p99 = times.getQuantile(0.99)
  report(
    'control: one request in 50 blocks the event loop, one in 200 gets a 500',
    `noticed: p99 ${formatMs(p99)}, ${serverErrors} with 5xx`,
    'both must be noticed',
    p99 > 150 && serverErrors > 0,
  )
})
await runUnderLoad('', async (load) => {
  await load(perSecond / 2, 5)
  const { times, serverErrors, failures, cpuMsPerRequest, rate } = await load(perSecond, Number(values.minutes) * 60)
  const p99 = times.getQuantile(0.99)
  report(
    `${perSecond} mixed requests per second for ${values.minutes} min with ${Number(values.rows).toLocaleString('en-US')} rows of one person`,
    `p50 ${formatMs(times.getQuantile(0.5))}, p95 ${formatMs(times.getQuantile(0.95))}, p99 ${formatMs(p99)}, the longest ${formatMs(times.max)}; ${rate.toFixed(0)} answered per second, ` +
      `${cpuMsPerRequest.toFixed(2)} ms of CPU each; machine load ${loadavg()[0]?.toFixed(1)}`,
    'p99 150 ms',
    p99 <= 150,
  )
  report(
    'unexpected responses',
    `${serverErrors} with 5xx, ${failures.length} actions${failures.length > 0 ? `: ${failures.slice(0, 3).join(' | ')}` : ''}`,
    '0',
    serverErrors === 0 && failures.length === 0,
  )
  for (let currentRate = perSecond * 1.5; currentRate <= perSecond * 20; currentRate *= 1.5) {
    const step = await load(currentRate, Number(values['step-seconds']))
    const exceedsLimit = step.times.getQuantile(0.99) > 500
    console.log(
      `       ${currentRate.toFixed(0)} per second: ${step.rate.toFixed(0)} answered, p50 ${formatMs(step.times.getQuantile(0.5))}, p99 ${formatMs(step.times.getQuantile(0.99))}, ` +
        `${step.serverErrors} with 5xx, ${step.cpuMsPerRequest.toFixed(2)} ms of CPU each${exceedsLimit ? ': the limit' : ''}`,
    )
    if (exceedsLimit) break
  }
})
