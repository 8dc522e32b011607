import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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

// Durable creates over 16 connections: an agent reaches 60 % of a bare node:http server that group-commits with fdatasync,
// a moment 35 %.

const port = 15_804
const floorPort = 15_805
const rowFloorPort = 15_806
const rounds = 4
const seconds = 4
const connections = 16

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const url = `http://127.0.0.1:${port}`
const keeper = await startKeeper({ PORT: String(port), KEEPER_DATA_DIR: dataDir })
const token = await registerPerson(url)
const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
const keeperId = await fetch(`${url}/api/keeper/keepers`, {
  method: 'POST',
  headers,
  body: JSON.stringify({ title: 'Bench', purpose: 'To measure' }),
}).then(async (answer) => ((await answer.json()) as { data: { id: string } }).data.id)
const rowFile = join(dataDir, 'floor.db')
const emptyDatabase = new DatabaseSync(join(dataDir, 'data.db'), { readOnly: true })
emptyDatabase.exec(`vacuum into '${rowFile}'`)
emptyDatabase.close()
const lineFloor = await startFloor(join(dataDir, 'floor.jsonl'), floorPort)
const rowFloor = await startFloor(rowFile, rowFloorPort)

async function startFloor(path: string, onPort: number): Promise<ChildProcess> {
  const floorProcess = spawn(process.execPath, ['bench/floor-creates.ts', path, String(onPort)], {
    cwd: root,
    stdio: 'inherit',
  })
  killAtExit(floorProcess)
  await waitUntilReachable(`http://127.0.0.1:${onPort}/`)
  return floorProcess
}

let createdCount = 0
const creates = [
  {
    kind: 'an agent',
    path: '/api/kip/agents',
    target: 0.6,
    createBody() {
      const name = `bench-${++createdCount}`
      const purpose = 'Reads the day’s moments and drafts a reflection only when something repeats.'
      return { name, slug: name, purpose }
    },
  },
  {
    kind: 'a moment',
    path: `/api/keeper/keepers/${keeperId}/moments`,
    target: 0.35,
    createBody: () => ({
      body: `${++createdCount}: The ferry was late, so Per and I ate the cardamom buns on the quay.`,
      occurredAt: new Date().toISOString(),
      timezone: 'UTC',
    }),
  },
]

async function runLoad(process: ChildProcess, target: string, createBody: () => object) {
  const { cpuMs } = readProcessUsage(process)
  const result = await autocannon({
    url: target,
    connections,
    duration: seconds,
    method: 'POST',
    headers,
    setupClient(client) {
      const setNextBody = () => client.setBody(JSON.stringify(createBody()))
      setNextBody()
      client.on('response', setNextBody)
    },
  })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} creates at ${target} failed`)
  const cpuUs = ((readProcessUsage(process).cpuMs - cpuMs) * 1000) / result.requests.total
  return { rate: result.requests.average, cpuUs }
}

for (const { kind, path, target, createBody } of creates) {
  const shares: number[] = []
  const rowShares: number[] = []
  const texts: string[] = []
  for (let round = 0; round < rounds; round++) {
    const lines = await runLoad(lineFloor, `http://127.0.0.1:${floorPort}${path}`, createBody)
    const rows = await runLoad(rowFloor, `http://127.0.0.1:${rowFloorPort}${path}`, createBody)
    const keeperLoad = await runLoad(keeper.process, `${url}${path}`, createBody)
    // The first round measures how fast V8 compiles.
    if (round === 0) continue
    shares.push(keeperLoad.rate / lines.rate)
    rowShares.push(keeperLoad.rate / rows.rate)
    texts.push(
      `${keeperLoad.rate.toFixed(0)}/s with ${keeperLoad.cpuUs.toFixed(0)} µs of CPU, ` +
        `the floors ${lines.rate.toFixed(0)}/s with ${lines.cpuUs.toFixed(0)} µs and ${rows.rate.toFixed(0)}/s with ${rows.cpuUs.toFixed(0)} µs`,
    )
  }
  const share = median(shares)
  report(
    `durable create of ${kind}`,
    `${(share * 100).toFixed(0)} % of the floor, ${(median(rowShares) * 100).toFixed(0)} % of the one with rows in SQLite; ${texts.at(-1)}`,
    `${target * 100} %`,
    share >= target,
  )
}
await keeper.stop()
await Promise.all([lineFloor, rowFloor].map(stopProcess))
rmSync(dataDir, { recursive: true })
