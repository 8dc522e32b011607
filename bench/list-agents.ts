import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { median, registerPerson, report, root, startKeeper, stopProcess, waitUntilReachable } from './measure.ts'

// Lists 20 of 10,000 agents over 16 connections. Target: 60 % of the requests per second of the floor, a bare node:http
// server that runs the same query and sends the same bytes, and a p99 of at most 10 ms.

const port = 15_802
const floorPort = 15_803
const rounds = 3
const seconds = 4
const otherAgentCount = 9980
const ownAgentCount = 15

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const environment = { PORT: String(port), KEEPER_DATA_DIR: dataDir, KEEPER_REGISTRATIONS_PER_HOUR: '1000' }
const url = `http://127.0.0.1:${port}`

let keeper = await startKeeper(environment)
const otherToken = await registerPerson(url, 'others@keeper.example')
const ownToken = await registerPerson(url)
const create = (token: string, name: string) =>
  fetch(`${url}/api/kip/agents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      name,
      slug: name,
      purpose: 'Reads the day’s moments and drafts a reflection only when something repeats.',
    }),
  }).then((answer) => answer.arrayBuffer())
for (let start = 0; start < otherAgentCount; start += 50) {
  await Promise.all(Array.from({ length: 50 }, (_, index) => create(otherToken, `other-${start + index}`)))
}
for (let index = 0; index < ownAgentCount; index++) await create(ownToken, `own-${index}`)
const responseText = await fetch(`${url}/api/kip/agents`, { headers: { authorization: `Bearer ${ownToken}` } }).then(
  (answer) => answer.text(),
)
const rows = (JSON.parse(responseText) as { data: { owner_id: string | null }[] }).data
const personId = rows.find((row) => row.owner_id)?.owner_id ?? ''
await keeper.stop()

const floorProcess = spawn(
  process.execPath,
  ['bench/floor-list.ts', join(dataDir, 'data.db'), personId, String(floorPort)],
  { cwd: root, stdio: 'inherit' },
)
await waitUntilReachable(`http://127.0.0.1:${floorPort}/`)
const floorResponseText = await fetch(`http://127.0.0.1:${floorPort}/`).then((answer) => answer.text())
if (floorResponseText !== responseText) throw new Error("the floor's response differs from Keeper's")
keeper = await startKeeper(environment)

const load = (target: string, headers: Record<string, string>) =>
  autocannon({ url: target, headers, connections: 16, duration: seconds })
const floorRates: number[] = []
const keeperRates: number[] = []
const floorP99Ms: number[] = []
const keeperP99Ms: number[] = []
for (let round = 0; round < rounds; round++) {
  const floorResult = await load(`http://127.0.0.1:${floorPort}/`, {})
  floorRates.push(floorResult.requests.average)
  floorP99Ms.push(floorResult.latency.p99)
  const result = await load(`${url}/api/kip/agents`, { authorization: `Bearer ${ownToken}` })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} responses failed`)
  keeperRates.push(result.requests.average)
  keeperP99Ms.push(result.latency.p99)
}
await keeper.stop()
await stopProcess(floorProcess)
rmSync(dataDir, { recursive: true })

const rateRatio = median(keeperRates) / median(floorRates)
report(
  `list of ${rows.length} agents among ${otherAgentCount + rows.length}`,
  `${median(keeperRates).toFixed(0)}/s, ${(rateRatio * 100).toFixed(0)} % of the floor's ${median(floorRates).toFixed(0)}/s`,
  '60 %',
  rateRatio >= 0.6,
)
report(
  'p99 of that list',
  `${median(keeperP99Ms)} ms, the floor's ${median(floorP99Ms)} ms`,
  '10 ms',
  median(keeperP99Ms) <= 10,
)
