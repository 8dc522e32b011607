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

// Durable creates over 16 connections. Targets, as shares of a bare node:http server that group-commits with fdatasync:
// agents 60 %, moments 35 %.

const port = 15_804
const fileBaselinePort = 15_805
const sqliteBaselinePort = 15_806
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
const sqliteFile = join(dataDir, 'baseline.db')
const emptyDatabase = new DatabaseSync(join(dataDir, 'data.db'), { readOnly: true })
emptyDatabase.exec(`vacuum into '${sqliteFile}'`)
emptyDatabase.close()
const fileBaseline = await startBaseline(join(dataDir, 'baseline.jsonl'), fileBaselinePort)
const sqliteBaseline = await startBaseline(sqliteFile, sqliteBaselinePort)

async function startBaseline(path: string, onPort: number): Promise<ChildProcess> {
  const baselineProcess = spawn(process.execPath, ['bench/baseline-creates.ts', path, String(onPort)], {
    cwd: root,
    stdio: 'inherit',
  })
  killAtExit(baselineProcess)
  await waitUntilReachable(`http://127.0.0.1:${onPort}/`)
  return baselineProcess
}

let createdCount = 0
const creates = [
  {
    kind: 'an agent',
    path: '/api/kip/agents',
    minShare: 0.6,
    createBody() {
      const name = `bench-${++createdCount}`
      const purpose = 'Reads the day’s moments and drafts a reflection only when something repeats.'
      return { name, slug: name, purpose }
    },
  },
  {
    kind: 'a moment',
    path: `/api/keeper/keepers/${keeperId}/moments`,
    minShare: 0.35,
    createBody: () => ({
      body: `${++createdCount}: The ferry was late, so Per and I ate the cardamom buns on the quay.`,
      occurredAt: new Date().toISOString(),
      timezone: 'UTC',
    }),
  },
]

async function runLoad(server: ChildProcess, targetUrl: string, createBody: () => object) {
  const { cpuMs } = readProcessUsage(server)
  const result = await autocannon({
    url: targetUrl,
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
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} creates at ${targetUrl} failed`)
  const cpuUs = ((readProcessUsage(server).cpuMs - cpuMs) * 1000) / result.requests.total
  return { rate: result.requests.average, cpuUs }
}

for (const { kind, path, minShare, createBody } of creates) {
  const shares: number[] = []
  const sqliteShares: number[] = []
  const texts: string[] = []
  for (let round = 0; round < rounds; round++) {
    const fileLoad = await runLoad(fileBaseline, `http://127.0.0.1:${fileBaselinePort}${path}`, createBody)
    const sqliteLoad = await runLoad(sqliteBaseline, `http://127.0.0.1:${sqliteBaselinePort}${path}`, createBody)
    const keeperLoad = await runLoad(keeper.process, `${url}${path}`, createBody)
    // The first round measures how fast V8 compiles.
    if (round === 0) continue
    shares.push(keeperLoad.rate / fileLoad.rate)
    sqliteShares.push(keeperLoad.rate / sqliteLoad.rate)
    texts.push(
      `${keeperLoad.rate.toFixed(0)}/s with ${keeperLoad.cpuUs.toFixed(0)} µs of CPU, ` +
        `the baselines ${fileLoad.rate.toFixed(0)}/s with ${fileLoad.cpuUs.toFixed(0)} µs and ${sqliteLoad.rate.toFixed(0)}/s with ${sqliteLoad.cpuUs.toFixed(0)} µs`,
    )
  }
  const share = median(shares)
  report(
    `durable create of ${kind}`,
    `${(share * 100).toFixed(0)} % of the baseline, ${(median(sqliteShares) * 100).toFixed(0)} % of the one with rows in SQLite; ${texts.at(-1)}`,
    `${minShare * 100} %`,
    share >= minShare,
  )
}
await keeper.stop()
await Promise.all([fileBaseline, sqliteBaseline].map(stopProcess))
rmSync(dataDir, { recursive: true })
