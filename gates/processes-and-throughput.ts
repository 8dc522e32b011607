import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { databaseAt, startPostgres } from '#tests/engines-setup.ts'
import { report, usageOf } from '../bench/measure.ts'
import { Asker } from './load/asking.ts'
import { type Cluster, startCluster } from './load/cluster.ts'
import { everydayDeeds, Mix } from './load/deeds.ts'
import { LatencyHistogram } from './load/latency-histogram.ts'
import { makePeople } from './load/people.ts'
import { postgresCpuMs, rationed } from './scale-out/rationed.ts'

// Throughput grows with 1, 2 and 4 processes on one PostgreSQL behind a proxy. Each server gets a fixed share of a core, so that
// it is the bottleneck. Control: four processes that share what one gets.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    /** Share of a core per server process. */
    share: { type: 'string', default: '0.15' },
    processes: { type: 'string', default: '1,2,4' },
  },
})
const share = Number(values.share)
const ports = { proxy: 15_854, first: 15_855 }
const atOnce = 24

interface Throughput {
  perSecond: number
  times: LatencyHistogram
  serverMs: number
  proxyMs: number
  postgresMs: number
  failures: string[]
  connections: number
}

const postgres = await startPostgres()
const admin = new pg.Client(postgres.url)
await admin.connect()

async function throughputOf(count: number, each: number): Promise<Throughput> {
  const name = `keeper_${count}_${String(each).replace('.', '_')}`
  await admin.query(`create database ${name}`)
  const url = databaseAt(postgres.url, name)
  const pictures = mkdtempSync(join(tmpdir(), 'keeper-pictures-'))
  const cluster = await startCluster(
    Array.from({ length: count }, () => url),
    { KEEPER_DATA_DIR: pictures },
    ports,
  )
  const asker = new Asker(cluster.address, atOnce)
  const people = await makePeople(asker, 20)
  const mix = new Mix(asker, people, everydayDeeds)
  const runFor = async (seconds: number) => {
    const until = performance.now() + seconds * 1000
    const one = async () => {
      while (performance.now() < until) await mix.one()
    }
    await Promise.all(Array.from({ length: atOnce }, one))
  }
  // Warm-up, because compilation would use up the CPU share.
  await runFor(count * 10)
  const letGo = rationed(
    cluster.members.flatMap(({ child }) => child?.pid ?? []),
    each,
  )
  const times = new LatencyHistogram()
  asker.watch = ({ ms }) => times.add(ms)
  const before = cpuOf(cluster)
  const began = performance.now()
  await runFor(Number(values.seconds))
  const seconds = (performance.now() - began) / 1000
  const after = cpuOf(cluster)
  letGo()
  const { rows } = await admin.query('select count(*)::int as count from pg_stat_activity where datname = $1', [name])
  asker.close()
  await cluster.close()
  rmSync(pictures, { recursive: true })
  const perRequest = (total: number) => total / times.count
  return {
    perSecond: times.count / seconds,
    times,
    serverMs: perRequest(after.servers - before.servers),
    proxyMs: perRequest(after.proxy - before.proxy),
    postgresMs: perRequest(after.postgres - before.postgres),
    failures: mix.failures,
    connections: rows[0].count,
  }
}

function cpuOf({ members, proxy }: Cluster) {
  const servers = members.reduce((sum, { child }) => sum + (child ? usageOf(child).cpuMs : 0), 0)
  return { servers, proxy: usageOf(proxy).cpuMs, postgres: postgresCpuMs() }
}

const measured = new Map<number, Throughput>()
for (const count of values.processes.split(',').map(Number)) measured.set(count, await throughputOf(count, share))
const most = Math.max(...measured.keys())
const planted = await throughputOf(most, share / most)
const [[fewest, first] = [1, undefined]] = measured
for (const [count, { perSecond, times, serverMs, proxyMs, postgresMs, failures, connections }] of measured) {
  const grown = perSecond / (first?.perSecond ?? 1)
  const wanted = 0.75 * (count / fewest)
  report(
    `${count} processes with ${share} core each`,
    `${perSecond.toFixed(0)} requests per second, ${grown.toFixed(2)} × that of ${fewest}; p50 ${times.at(0.5).toFixed(0)} ms; CPU per request: ` +
      `server ${serverMs.toFixed(2)}, PostgreSQL ${postgresMs.toFixed(2)}, proxy ${proxyMs.toFixed(2)} ms; ${connections} connections; ` +
      `failed: ${failures.length > 0 ? failures.slice(0, 3).join(' | ') : 'none'}; load of the machine ${loadavg()[0]?.toFixed(1)}`,
    `${wanted.toFixed(2)} ×`,
    grown >= wanted && failures.length === 0,
  )
}
const plantedGrowth = planted.perSecond / (first?.perSecond ?? 1)
report(
  `control: ${most} processes that get together what ${fewest} gets`,
  `noticed: ${plantedGrowth.toFixed(2)} × that of ${fewest}`,
  'must be noticed',
  plantedGrowth < 0.75 * (most / fewest),
)
await admin.end()
await postgres.stop()
