import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import {
  killAtExit,
  median,
  readProcessUsage,
  registerPerson,
  report,
  root,
  startKeeper,
  stopProcess,
  waitUntilReachable,
} from './measure.ts'

// Lists 20 of 10,000 agents and 20 of 1,000 moments over 16 connections. Targets: 75 and 60 % of the requests per second of
// the baseline, a bare node:http server that reads the same rows and sends the same bytes, and a p99 of at most 10 ms.

const port = 15_802
const baselinePort = 15_803
const rounds = 4
const seconds = 3
const otherAgentCount = 9980
const ownAgentCount = 15
const momentCount = 1000

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const environment = { PORT: String(port), KEEPER_DATA_DIR: dataDir, KEEPER_REGISTRATIONS_PER_HOUR: '1000' }
const url = `http://127.0.0.1:${port}`
const baselineUrl = `http://127.0.0.1:${baselinePort}`

let keeper = await startKeeper(environment)
const otherToken = await registerPerson(url, 'others@keeper.example')
const ownToken = await registerPerson(url)
const create = async (token: string, path: string, body: object) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return ((await answer.json()) as { data: { id: string; owner_id: string } }).data
}
const createMany = async (count: number, createOne: (index: number) => Promise<unknown>) => {
  for (let start = 0; start < count; start += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - start) }, (_, index) => createOne(start + index)))
}
const purpose = 'Reads the day’s moments and drafts a reflection only when something repeats.'
const createAgent = (token: string, name: string) => create(token, '/api/kip/agents', { name, slug: name, purpose })
await createMany(otherAgentCount, (index) => createAgent(otherToken, `other-${index}`))
await createMany(ownAgentCount, (index) => createAgent(ownToken, `own-${index}`))
const keeperId = (await create(ownToken, '/api/keeper/keepers', { title: 'Bench', purpose: 'To measure' })).id
const momentsPath = `/api/keeper/keepers/${keeperId}/moments`
await createMany(momentCount, (index) =>
  create(ownToken, momentsPath, {
    body: `Moment ${index}${' The ferry was late, so Per and I ate the cardamom buns on the quay.'.repeat(3)}`,
    mood: { score: (index % 5) - 2 },
    timezone: 'Europe/Stockholm',
    ...(index % 2 === 0 && { topics: [`Topic ${index % 20}`] }),
  }),
)

const lists = [
  { kind: 'agents', path: '/api/kip/agents', minShare: 0.75 },
  { kind: 'moments', path: `${momentsPath}?limit=20`, minShare: 0.6 },
]
const headers = { authorization: `Bearer ${ownToken}` }
const requestText = (address: string) => fetch(address, { headers }).then((answer) => answer.text())
const agents = (JSON.parse(await requestText(`${url}/api/kip/agents`)) as { data: { owner_id: string | null }[] }).data
const personId = agents.find((agent) => agent.owner_id)?.owner_id ?? ''
await keeper.stop()

const baseline = spawn(
  process.execPath,
  ['bench/baseline-lists.ts', join(dataDir, 'data.db'), personId, keeperId, String(baselinePort)],
  { cwd: root, stdio: 'inherit' },
)
killAtExit(baseline)
await waitUntilReachable(`${baselineUrl}/agents`)
keeper = await startKeeper(environment)

async function runLoad(server: typeof baseline, address: string) {
  const { cpuMs } = readProcessUsage(server)
  const result = await autocannon({ url: address, headers, connections: 16, duration: seconds })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} responses of ${address} failed`)
  const cpuUs = ((readProcessUsage(server).cpuMs - cpuMs) * 1000) / result.requests.total
  return { rate: result.requests.average, p99Ms: result.latency.p99, cpuUs }
}

for (const { kind, path, minShare } of lists) {
  if ((await requestText(`${baselineUrl}/${kind}`)) !== (await requestText(`${url}${path}`)))
    throw new Error(`the baseline's list of ${kind} differs from Keeper's`)
  const ratios: number[] = []
  const baselineLoads: Awaited<ReturnType<typeof runLoad>>[] = []
  const keeperLoads: typeof baselineLoads = []
  for (let round = 0; round < rounds; round++) {
    const baselineLoad = await runLoad(baseline, `${baselineUrl}/${kind}`)
    const load = await runLoad(keeper.process, `${url}${path}`)
    // The first round measures how fast V8 compiles.
    if (round === 0) continue
    baselineLoads.push(baselineLoad)
    keeperLoads.push(load)
    ratios.push(load.rate / baselineLoad.rate)
  }
  const getMedian = (loads: typeof baselineLoads, name: 'rate' | 'p99Ms' | 'cpuUs') =>
    median(loads.map((load) => load[name]))
  report(
    `list of 20 ${kind}`,
    `${getMedian(keeperLoads, 'rate').toFixed(0)}/s, ${(median(ratios) * 100).toFixed(0)} % of the baseline's ${getMedian(baselineLoads, 'rate').toFixed(0)}/s; ` +
      `${getMedian(keeperLoads, 'cpuUs').toFixed(0)} µs of CPU, the baseline's ${getMedian(baselineLoads, 'cpuUs').toFixed(0)} µs`,
    `${minShare * 100} %`,
    median(ratios) >= minShare,
  )
  report(
    `p99 of the list of 20 ${kind}`,
    `${getMedian(keeperLoads, 'p99Ms')} ms, the baseline's ${getMedian(baselineLoads, 'p99Ms')} ms`,
    '10 ms',
    getMedian(keeperLoads, 'p99Ms') <= 10,
  )
}
await keeper.stop()
await stopProcess(baseline)
rmSync(dataDir, { recursive: true })
