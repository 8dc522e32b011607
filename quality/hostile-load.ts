import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { formatMs, report, startKeeper } from '../bench/measure.ts'
import { type Hostility, type HostilityMetrics, visitorsPerSecond, wrongSignInsPerSecond } from './load/hostility.ts'
import { LatencyHistogram } from './load/latency-histogram.ts'
import { LoadClient, parseData } from './load/load-client.ts'
import { fillWithRows } from './load/many-rows.ts'
import { pace } from './load/pace.ts'
import { createPeople, type LoadPerson } from './load/people.ts'
import { ActionMix, everydayActions, signInAndOut } from './load/user-actions.ts'

// Under attack, honest use stays below twice its quiet p95, and no honest person is refused.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rows: { type: 'string', default: '1000000' },
    slow: { type: 'string', default: '1000' },
    'control-seconds': { type: 'string', default: '15' },
    only: { type: 'string', default: 'slow,sign-ins,visitors,searches' },
  },
})
const [port, providerPort] = [15_858, 15_859]
const address = `http://127.0.0.1:${port}`
const actionsPerSecond = 30
const isEnabled = (hostility: string) => values.only.split(',').includes(hostility)

interface HonestUse {
  times: LatencyHistogram
  signIns: LatencyHistogram
  refused: Map<number, number>
  failures: string[]
}

async function measureHonestUse(people: LoadPerson[], seconds: number): Promise<HonestUse> {
  const outcome: HonestUse = {
    times: new LatencyHistogram(),
    signIns: new LatencyHistogram(),
    refused: new Map(),
    failures: [],
  }
  const client = new LoadClient(address)
  client.onResponse = ({ status, ms }) => {
    outcome.times.add(ms)
    if (status === 429 || status >= 500) outcome.refused.set(status, (outcome.refused.get(status) ?? 0) + 1)
  }
  const signInClient = new LoadClient(address)
  const mix = new ActionMix(client, people, everydayActions)
  const signIns = new ActionMix(signInClient, people, [signInAndOut])
  signInClient.onResponse = ({ status }) => {
    if (status === 429 || status >= 500) outcome.refused.set(status, (outcome.refused.get(status) ?? 0) + 1)
  }
  const timeSignIn = async () => {
    const startedAt = performance.now()
    await signIns.runOne()
    outcome.signIns.add(performance.now() - startedAt)
  }
  await Promise.all([pace(actionsPerSecond, seconds, () => mix.runOne()), pace(1, seconds, timeSignIn)])
  outcome.failures.push(...mix.failures, ...signIns.failures)
  for (const loadClient of [client, signInClient]) loadClient.close()
  return outcome
}

function startHostility(params: Omit<Hostility, 'port' | 'only' | 'slowConnectionCount'>) {
  const child = fork(fileURLToPath(import.meta.resolve('./load/hostility.ts')))
  let metrics: HostilityMetrics = {
    openConnections: 0,
    closedConnections: 0,
    signInAttempts: 0,
    visits: 0,
    searches: 0,
  }
  child.on('message', (message) => {
    metrics = message as HostilityMetrics
  })
  child.send({
    ...params,
    port,
    only: values.only.split(','),
    slowConnectionCount: Number(values.slow),
  } satisfies Hostility)
  return {
    getMetrics: () => metrics,
    async end() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function measure(seconds: number, nodeOptions = '', rows = Number(values.rows)) {
  const dataDir = mkdtempSync(join(tmpdir(), 'keeper-hostile-'))
  const environment = {
    PORT: String(port),
    KEEPER_DATA_DIR: dataDir,
    KEEPER_REGISTRATIONS_PER_HOUR: '10000',
    KEEPER_TRUSTED_PROXIES: '1',
    OPENAI_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
  }
  const first = await startKeeper(environment)
  const client = new LoadClient(address)
  const [slowReader, searcher, host, ...honest] = await createPeople(client, 23)
  if (!slowReader || !searcher || !host) throw new Error('no people')
  const body = { name: 'Guide', purpose: 'Show visitors around.', agent_class: 'Lead', visibility: 'public' }
  const createdAgent = await client.request('POST', '/api/kip/agents', { token: host.token, body })
  const { id: publicAgentId } = parseData<{ id: string }>(createdAgent)
  client.close()
  await first.stop()
  for (const { id, keeperId } of [slowReader, searcher])
    fillWithRows(dataDir, { personId: id, keeperId }, { moments: rows, cards: Math.min(rows, 50_000) })
  const keeper = await startKeeper({ ...environment, NODE_OPTIONS: nodeOptions })
  await measureHonestUse(honest, 5)
  const quiet = await measureHonestUse(honest, Math.max(10, seconds / 3))
  const emails = honest.map(({ email }) => email)
  const hostility = startHostility({ slowReader, searcher, emails, publicAgentId })
  await delay(3000)
  const metricsBefore = hostility.getMetrics()
  const underAttack = await measureHonestUse(honest, seconds)
  const attackMetrics = hostility.getMetrics()
  const getRate = (metric: 'signInAttempts' | 'visits' | 'searches') =>
    (attackMetrics[metric] - metricsBefore[metric]) / seconds
  const rates = { signInAttempts: getRate('signInAttempts'), visits: getRate('visits'), searches: getRate('searches') }
  await hostility.end()
  await keeper.stop()
  rmSync(dataDir, { recursive: true })
  return { quiet, underAttack, attackMetrics, rates }
}

const provider = spawn(process.execPath, ['bench/fake-provider.ts', String(providerPort)], { stdio: 'inherit' })
process.once('exit', () => provider.kill('SIGKILL'))

const getSlowdown = ({ quiet, underAttack }: { quiet: HonestUse; underAttack: HonestUse }) =>
  underAttack.times.count === 0
    ? Number.POSITIVE_INFINITY
    : underAttack.times.getQuantile(0.95) / quiet.times.getQuantile(0.95)

const planted = await measure(
  Number(values['control-seconds']),
  `--import=${import.meta.resolve('./load/planted-hold.ts')}`,
  10_000,
)
const plantedRatio = getSlowdown(planted)
report(
  'control: a server that hashes passwords on its main thread',
  planted.underAttack.times.count === 0
    ? 'noticed: no honest request was answered'
    : `noticed: p95 ${formatMs(planted.underAttack.times.getQuantile(0.95))}, ${plantedRatio.toFixed(1)} × the quiet ${formatMs(planted.quiet.times.getQuantile(0.95))}`,
  'must be noticed',
  plantedRatio >= 2,
)

const { quiet, underAttack, attackMetrics, rates } = await measure(Number(values.seconds))
report(
  'the attack',
  `${attackMetrics.openConnections} slow connections (${attackMetrics.closedConnections} closed), per second ${rates.signInAttempts.toFixed(0)} wrong sign-ins, ` +
    `${rates.visits.toFixed(0)} visits and ${rates.searches.toFixed(0)} searches over ${values.rows} rows`,
  `at least 90% of ${wrongSignInsPerSecond} sign-ins and ${visitorsPerSecond} visits per second and of ${values.slow} slow connections, and searches`,
  (!isEnabled('sign-ins') || rates.signInAttempts >= 0.9 * wrongSignInsPerSecond) &&
    (!isEnabled('visitors') || rates.visits >= 0.9 * visitorsPerSecond) &&
    (!isEnabled('slow') ||
      attackMetrics.openConnections + attackMetrics.closedConnections >= 0.9 * Number(values.slow)) &&
    (!isEnabled('searches') || rates.searches > 0),
)
const ratio = getSlowdown({ quiet, underAttack })
report(
  'honest use during the attack',
  `p95 ${formatMs(underAttack.times.getQuantile(0.95))}, ${ratio.toFixed(2)} × the quiet ${formatMs(quiet.times.getQuantile(0.95))}; p50 ${formatMs(underAttack.times.getQuantile(0.5))} and ${formatMs(quiet.times.getQuantile(0.5))}, ` +
    `p99 ${formatMs(underAttack.times.getQuantile(0.99))} and ${formatMs(quiet.times.getQuantile(0.99))}; machine load ${loadavg()[0]?.toFixed(1)}`,
  'less than 2 ×',
  ratio < 2,
)
console.log(
  `       signing in and out: p50 ${formatMs(underAttack.signIns.getQuantile(0.5))}, p95 ${formatMs(underAttack.signIns.getQuantile(0.95))}; in quiet ${formatMs(quiet.signIns.getQuantile(0.5))} and ${formatMs(quiet.signIns.getQuantile(0.95))}`,
)
const refused = [...underAttack.refused].map(([status, count]) => `${count} × ${status}`).join(', ')
report(
  'honest people refused',
  `${refused || 'none'}${underAttack.failures.length > 0 ? `; ${underAttack.failures.slice(0, 3).join(' | ')}` : ''}`,
  'none',
  underAttack.refused.size === 0 && underAttack.failures.length === 0,
)
process.exit()
