import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readProcessUsage, report } from '../bench/measure.ts'
import { startPostgres, withDatabaseName } from '../tests/engines-setup.ts'
import { type Cluster, startCluster } from './load/cluster.ts'
import { LatencyHistogram } from './load/latency-histogram.ts'
import { LoadClient } from './load/load-client.ts'
import { createPeople } from './load/people.ts'
import { ActionMix, everydayActions } from './load/user-actions.ts'
import { limitCpu, readPostgresCpuMs } from './scale-out/limit-cpu.ts'

// Throughput grows with 1, 2 and 4 processes on one PostgreSQL, each limited to a fraction of a core. Control: four processes
// share the fraction of one.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    share: { type: 'string', default: '0.15' },
    processes: { type: 'string', default: '1,2,4' },
  },
})
const share = Number(values.share)
const ports = { proxy: 15_854, first: 15_855 }
const requestConcurrency = 24
const requiredShareOfLinearGrowth = 0.75

interface Throughput {
  perSecond: number
  times: LatencyHistogram
  /** CPU time per request, as for `proxyMs` and `postgresMs`. */
  serverMs: number
  proxyMs: number
  postgresMs: number
  failures: string[]
  connections: number
}

const postgres = await startPostgres()
const admin = new pg.Client(postgres.url)
await admin.connect()

async function measureThroughput(count: number, cpuShare: number): Promise<Throughput> {
  const name = `keeper_${count}_${String(cpuShare).replace('.', '_')}`
  await admin.query(`create database ${name}`)
  const url = withDatabaseName(postgres.url, name)
  const dataFolder = mkdtempSync(join(tmpdir(), 'keeper-data-'))
  const cluster = await startCluster(
    Array.from({ length: count }, () => url),
    { KEEPER_DATA_DIR: dataFolder },
    ports,
  )
  const client = new LoadClient(cluster.address, requestConcurrency)
  const people = await createPeople(client, 20)
  const mix = new ActionMix(client, people, everydayActions)
  const runFor = async (seconds: number) => {
    const deadline = performance.now() + seconds * 1000
    const runWorker = async () => {
      while (performance.now() < deadline) await mix.runOne()
    }
    await Promise.all(Array.from({ length: requestConcurrency }, runWorker))
  }
  // Warm-up, because compilation would use up the CPU share.
  await runFor(count * 10)
  const releaseLimits = limitCpu(
    cluster.members.flatMap(({ child }) => child?.pid ?? []),
    cpuShare,
  )
  const times = new LatencyHistogram()
  client.onResponse = ({ ms }) => times.add(ms)
  const cpuBefore = measureCpu(cluster)
  const startedAt = performance.now()
  await runFor(Number(values.seconds))
  const seconds = (performance.now() - startedAt) / 1000
  const cpuAfter = measureCpu(cluster)
  releaseLimits()
  const { rows } = await admin.query('select count(*)::int as count from pg_stat_activity where datname = $1', [name])
  client.close()
  await cluster.close()
  rmSync(dataFolder, { recursive: true })
  const divideByRequests = (total: number) => total / times.count
  return {
    perSecond: times.count / seconds,
    times,
    serverMs: divideByRequests(cpuAfter.servers - cpuBefore.servers),
    proxyMs: divideByRequests(cpuAfter.proxy - cpuBefore.proxy),
    postgresMs: divideByRequests(cpuAfter.postgres - cpuBefore.postgres),
    failures: mix.failures,
    connections: rows[0].count,
  }
}

function measureCpu({ members, proxy }: Cluster) {
  const servers = members.reduce((totalCpuMs, { child }) => totalCpuMs + (child ? readProcessUsage(child).cpuMs : 0), 0)
  return { servers, proxy: readProcessUsage(proxy).cpuMs, postgres: readPostgresCpuMs() }
}

const measured = new Map<number, Throughput>()
for (const count of values.processes.split(',').map(Number)) measured.set(count, await measureThroughput(count, share))
const maxProcesses = Math.max(...measured.keys())
const controlThroughput = await measureThroughput(maxProcesses, share / maxProcesses)
const [[baselineProcesses, baseline] = [1, undefined]] = measured
for (const [count, { perSecond, times, serverMs, proxyMs, postgresMs, failures, connections }] of measured) {
  const growth = perSecond / (baseline?.perSecond ?? 1)
  const expectedGrowth = requiredShareOfLinearGrowth * (count / baselineProcesses)
  report(
    `${count} processes with ${share} core each`,
    `${perSecond.toFixed(0)} requests per second, ${growth.toFixed(2)} × the throughput of ${baselineProcesses}; p50 ${times.getQuantile(0.5).toFixed(0)} ms; CPU per request: ` +
      `server ${serverMs.toFixed(2)}, PostgreSQL ${postgresMs.toFixed(2)}, proxy ${proxyMs.toFixed(2)} ms; ${connections} connections; ` +
      `failed: ${failures.length > 0 ? failures.slice(0, 3).join(' | ') : 'none'}; machine load ${loadavg()[0]?.toFixed(1)}`,
    `${expectedGrowth.toFixed(2)} ×`,
    growth >= expectedGrowth && failures.length === 0,
  )
}
const controlGrowth = controlThroughput.perSecond / (baseline?.perSecond ?? 1)
report(
  `control: ${maxProcesses} processes sharing the CPU of ${baselineProcesses}`,
  `noticed: ${controlGrowth.toFixed(2)} × the throughput of ${baselineProcesses}`,
  'must be noticed',
  controlGrowth < requiredShareOfLinearGrowth * (maxProcesses / baselineProcesses),
)
await admin.end()
await postgres.stop()
