import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { report, startKeeper } from '../bench/measure.ts'
import { Asker, dataOf } from './load/asking.ts'
import { everydayDeeds, Mix, signInAndOut } from './load/deeds.ts'
import { type Hostility, type HostilityFigures, visitorsPerSecond, wrongSignInsPerSecond } from './load/hostility.ts'
import { LatencyHistogram } from './load/latency-histogram.ts'
import { fillWithRows } from './load/many-rows.ts'
import { pace } from './load/pace.ts'
import { makePeople, type Somebody } from './load/people.ts'

// With 1,000 slow connections, 100 wrong sign-ins per second, one person searching a million rows without pause and a flood of a
// public agent, honest use stays below twice its quiet p95, and no honest person is refused.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rows: { type: 'string', default: '1000000' },
    slow: { type: 'string', default: '1000' },
    'control-seconds': { type: 'string', default: '15' },
    only: { type: 'string', default: 'slow,sign-ins,visitors,looks' },
  },
})
const [port, providerPort] = [15_858, 15_859]
const address = `http://127.0.0.1:${port}`
const deedsPerSecond = 30
const isPlayed = (hostility: string) => values.only.split(',').includes(hostility)

interface Seen {
  times: LatencyHistogram
  signIns: LatencyHistogram
  refused: Map<number, number>
  failures: string[]
}

async function honestUse(people: Somebody[], seconds: number): Promise<Seen> {
  const seen: Seen = {
    times: new LatencyHistogram(),
    signIns: new LatencyHistogram(),
    refused: new Map(),
    failures: [],
  }
  const asker = new Asker(address)
  asker.watch = ({ status, ms }) => {
    seen.times.add(ms)
    if (status === 429 || status >= 500) seen.refused.set(status, (seen.refused.get(status) ?? 0) + 1)
  }
  const signInAsker = new Asker(address)
  const mix = new Mix(asker, people, everydayDeeds)
  const signIns = new Mix(signInAsker, people, [signInAndOut])
  signInAsker.watch = ({ status }) => {
    if (status === 429 || status >= 500) seen.refused.set(status, (seen.refused.get(status) ?? 0) + 1)
  }
  const timedSignIn = async () => {
    const began = performance.now()
    await signIns.one()
    seen.signIns.add(performance.now() - began)
  }
  await Promise.all([pace(deedsPerSecond, seconds, () => mix.one()), pace(1, seconds, timedSignIn)])
  seen.failures.push(...mix.failures, ...signIns.failures)
  for (const one of [asker, signInAsker]) one.close()
  return seen
}

function beginHostility(given: Omit<Hostility, 'port' | 'only' | 'slow'>) {
  const child = fork(fileURLToPath(import.meta.resolve('./load/hostility.ts')))
  let last: HostilityFigures = { openConnections: 0, sentAway: 0, tries: 0, visits: 0, looks: 0 }
  child.on('message', (figures) => {
    last = figures as HostilityFigures
  })
  child.send({ ...given, port, only: values.only.split(','), slow: Number(values.slow) } satisfies Hostility)
  return {
    figures: () => last,
    async end() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function measure(seconds: number, loaded = '', rows = Number(values.rows)) {
  const folder = mkdtempSync(join(tmpdir(), 'keeper-hostile-'))
  const environment = {
    PORT: String(port),
    KEEPER_DATA_DIR: folder,
    KEEPER_REGISTRATIONS_PER_HOUR: '10000',
    KEEPER_TRUSTED_PROXIES: '1',
    OPENAI_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
  }
  const first = await startKeeper(environment)
  const asker = new Asker(address)
  const [big, looker, host, ...honest] = await makePeople(asker, 23)
  if (!big || !looker || !host) throw new Error('no people')
  const body = { name: 'Guide', purpose: 'Show visitors around.', agent_class: 'Lead', visibility: 'public' }
  const made = await asker.ask('POST', '/api/kip/agents', { token: host.token, body })
  const { id: publicAgentId } = dataOf<{ id: string }>(made)
  asker.close()
  await first.stop()
  for (const { id, keeperId } of [big, looker])
    fillWithRows(folder, { personId: id, keeperId }, { moments: rows, cards: Math.min(rows, 50_000) })
  const keeper = await startKeeper({ ...environment, NODE_OPTIONS: loaded })
  await honestUse(honest, 5)
  const quiet = await honestUse(honest, Math.max(10, seconds / 3))
  const emails = honest.map(({ email }) => email)
  const hostility = beginHostility({ big, looker, emails, publicAgentId })
  await pause(3000)
  const before = hostility.figures()
  const beside = await honestUse(honest, seconds)
  const figures = hostility.figures()
  const perSecond = (what: 'tries' | 'visits' | 'looks') => (figures[what] - before[what]) / seconds
  const rates = { tries: perSecond('tries'), visits: perSecond('visits'), looks: perSecond('looks') }
  await hostility.end()
  await keeper.stop()
  rmSync(folder, { recursive: true })
  return { quiet, beside, figures, rates }
}

const provider = spawn(process.execPath, ['bench/floor-provider.ts', String(providerPort)], { stdio: 'inherit' })
process.once('exit', () => provider.kill('SIGKILL'))

const ms = (value: number) => `${value.toFixed(1)} ms`
const ratioOf = ({ quiet, beside }: { quiet: Seen; beside: Seen }) =>
  beside.times.count === 0 ? Number.POSITIVE_INFINITY : beside.times.at(0.95) / quiet.times.at(0.95)

const planted = await measure(
  Number(values['control-seconds']),
  `--import=${import.meta.resolve('./load/planted-hold.ts')}`,
  10_000,
)
const plantedRatio = ratioOf(planted)
report(
  'control: a server that hashes passwords on its main thread',
  planted.beside.times.count === 0
    ? 'noticed: no honest request was answered'
    : `noticed: p95 ${ms(planted.beside.times.at(0.95))}, ${plantedRatio.toFixed(1)} × the quiet ${ms(planted.quiet.times.at(0.95))}`,
  'must be noticed',
  plantedRatio >= 2,
)

const { quiet, beside, figures, rates } = await measure(Number(values.seconds))
report(
  'the attack',
  `${figures.openConnections} slow connections (${figures.sentAway} closed), per second ${rates.tries.toFixed(0)} wrong sign-ins, ` +
    `${rates.visits.toFixed(0)} visits and ${rates.looks.toFixed(0)} searches over ${values.rows} rows`,
  `at least 90% of ${wrongSignInsPerSecond} sign-ins and ${visitorsPerSecond} visits per second and of ${values.slow} slow connections, and searches`,
  (!isPlayed('sign-ins') || rates.tries >= 0.9 * wrongSignInsPerSecond) &&
    (!isPlayed('visitors') || rates.visits >= 0.9 * visitorsPerSecond) &&
    (!isPlayed('slow') || figures.openConnections + figures.sentAway >= 0.9 * Number(values.slow)) &&
    (!isPlayed('looks') || rates.looks > 0),
)
const ratio = ratioOf({ quiet, beside })
report(
  'honest use during the attack',
  `p95 ${ms(beside.times.at(0.95))}, ${ratio.toFixed(2)} × the quiet ${ms(quiet.times.at(0.95))}; p50 ${ms(beside.times.at(0.5))} and ${ms(quiet.times.at(0.5))}, ` +
    `p99 ${ms(beside.times.at(0.99))} and ${ms(quiet.times.at(0.99))}; load of the machine ${loadavg()[0]?.toFixed(1)}`,
  'less than 2 ×',
  ratio < 2,
)
console.log(
  `       signing in and out: p50 ${ms(beside.signIns.at(0.5))}, p95 ${ms(beside.signIns.at(0.95))}; in quiet ${ms(quiet.signIns.at(0.5))} and ${ms(quiet.signIns.at(0.95))}`,
)
const refused = [...beside.refused].map(([status, count]) => `${count} × ${status}`).join(', ')
report(
  'honest people refused',
  `${refused || 'none'}${beside.failures.length > 0 ? `; ${beside.failures.slice(0, 3).join(' | ')}` : ''}`,
  'none',
  beside.refused.size === 0 && beside.failures.length === 0,
)
process.exit()
