import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { report, startKeeper, usageOf } from '../bench/measure.ts'
import { Asker } from './load/asking.ts'
import { everydayDeeds, Mix, refusedDeeds } from './load/deeds.ts'
import { LatencyHistogram } from './load/latency-histogram.ts'
import { fillWithRows } from './load/many-rows.ts'
import { pace } from './load/pace.ts'
import { makePeople } from './load/people.ts'

/*
 * Gate L2: 300 requests a second of everything people do, for ten minutes, while one of them has 100,000 moments and
 * 20,000 memory cards: p99 at most 150 ms and nothing answered with 5xx. Then a staircase: how many more a second until
 * p99 is over 500 ms. What asks runs on the same machine and takes its share of it.
 */

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
const people = 50

interface Loaded {
  times: LatencyHistogram
  wrong: number
  failures: string[]
  cpuMsPerRequest: number
  /** Requests a second that were answered. */
  rate: number
}

/** Starts the server over the rows and gives what loads it: so many requests a second, for so long. */
async function underLoad(
  loaded: string,
  work: (load: (perSecond: number, seconds: number) => Promise<Loaded>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keeper-mixed-'))
  const environment = { PORT: String(port), KEEPER_DATA_DIR: folder, KEEPER_REGISTRATIONS_PER_HOUR: '10000' }
  const first = await startKeeper(environment)
  const setUp = new Asker(address)
  const everybody = await makePeople(setUp, people)
  setUp.close()
  await first.stop()
  const [big] = everybody
  if (!big) throw new Error('nobody there')
  const rows = Number(values.rows)
  fillWithRows(folder, { personId: big.id, keeperId: big.keeperId }, { moments: rows, cards: rows / 5 })
  const keeper = await startKeeper({ ...environment, NODE_OPTIONS: loaded })
  const asker = new Asker(address)
  // A tenth of everything is done by the one who has so much.
  const crowd = [...everybody, ...Array.from({ length: people / 10 }, () => big)]
  await work(async (rate, seconds) => {
    const mix = new Mix(asker, crowd, [...everydayDeeds, ...refusedDeeds])
    const times = new LatencyHistogram()
    let wrong = 0
    asker.watch = ({ status, ms }) => {
      times.add(ms)
      if (status >= 500) wrong += 1
    }
    const before = usageOf(keeper.process).cpuMs
    const began = performance.now()
    // A deed is 1.2 requests in the mean.
    const { left } = await pace(rate / requestsPerDeed, seconds, () => mix.one())
    const took = (performance.now() - began) / 1000
    asker.watch = undefined
    const cpuMsPerRequest = (usageOf(keeper.process).cpuMs - before) / times.count
    return { times, wrong: wrong + left, failures: mix.failures, cpuMsPerRequest, rate: times.count / took }
  })
  asker.close()
  await keeper.stop()
  rmSync(folder, { recursive: true })
}
const requestsPerDeed = 1.2
const ms = (value: number) => `${value.toFixed(1)} ms`

await underLoad(`--import=${import.meta.resolve('./load/planted-scan.ts')}`, async (load) => {
  const { times, wrong } = await load(perSecond / 3, Number(values['control-seconds']))
  const [p99, noticed] = [times.at(0.99), times.at(0.99) > 150 && wrong > 0]
  report(
    'control: one request of 50 holds the event loop, one of 200 is answered with 500',
    `noticed: p99 ${ms(p99)}, ${wrong} answered wrong`,
    'must be noticed, both',
    noticed,
  )
})
await underLoad('', async (load) => {
  await load(perSecond / 2, 5)
  const { times, wrong, failures, cpuMsPerRequest, rate } = await load(perSecond, Number(values.minutes) * 60)
  const p99 = times.at(0.99)
  report(
    `${perSecond} mixed requests a second for ${values.minutes} min beside ${Number(values.rows).toLocaleString('en-US')} rows of one person`,
    `p50 ${ms(times.at(0.5))}, p95 ${ms(times.at(0.95))}, p99 ${ms(p99)}, the longest ${ms(times.most)}; ${rate.toFixed(0)} a second answered, ` +
      `${cpuMsPerRequest.toFixed(2)} ms of CPU each; load of the machine ${loadavg()[0]?.toFixed(1)}`,
    'p99 150 ms',
    p99 <= 150,
  )
  report(
    'answered with 5xx, or otherwise than it has to be',
    `${wrong} with 5xx, ${failures.length} deeds${failures.length > 0 ? `: ${failures.slice(0, 3).join(' | ')}` : ''}`,
    '0',
    wrong === 0 && failures.length === 0,
  )
  for (let rateNow = perSecond * 1.5; rateNow <= perSecond * 20; rateNow *= 1.5) {
    const step = await load(rateNow, Number(values['step-seconds']))
    const over = step.times.at(0.99) > 500
    console.log(
      `       ${rateNow.toFixed(0)} a second: ${step.rate.toFixed(0)} answered, p50 ${ms(step.times.at(0.5))}, p99 ${ms(step.times.at(0.99))}, ` +
        `${step.wrong} with 5xx, ${step.cpuMsPerRequest.toFixed(2)} ms of CPU each${over ? ': here it ends' : ''}`,
    )
    if (over) break
  }
})
