import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import autocannon from 'autocannon'
import { median, registerPerson, report, root, startKeeper, stopProcess, waitUntilReachable } from './measure.ts'

// With 32 connections, a durable create reaches 60 % of a bare node:http server that group-commits with fdatasync.

const port = 15_804
const floorPort = 15_805
const rowFloorPort = 15_806
const rounds = 4
const seconds = 4
const connections = 32

const dataDir = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const url = `http://127.0.0.1:${port}`
const keeper = await startKeeper({ PORT: String(port), KEEPER_DATA_DIR: dataDir })
const token = await registerPerson(url)
const rowFile = join(dataDir, 'floor.db')
const emptyDatabase = new DatabaseSync(join(dataDir, 'data.db'), { readOnly: true })
emptyDatabase.exec(`vacuum into '${rowFile}'`)
emptyDatabase.close()
const floors = [await startFloor(join(dataDir, 'floor.jsonl'), floorPort), await startFloor(rowFile, rowFloorPort)]

async function startFloor(path: string, onPort: number): Promise<ChildProcess> {
  const floorProcess = spawn(process.execPath, ['bench/floor-create.ts', path, String(onPort)], {
    cwd: root,
    stdio: 'inherit',
  })
  await waitUntilReachable(`http://127.0.0.1:${onPort}/`)
  return floorProcess
}

let createdCount = 0
const runLoad = (target: string) =>
  autocannon({
    url: target,
    connections,
    duration: seconds,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    setupClient(client) {
      const setNextBody = () => {
        const name = `bench-${++createdCount}`
        client.setBody(
          JSON.stringify({
            name,
            slug: name,
            purpose: 'Reads the day’s moments and drafts a reflection only when something repeats.',
          }),
        )
      }
      setNextBody()
      client.on('response', setNextBody)
    },
  })

const floor: number[] = []
const rowFloor: number[] = []
const measured: number[] = []
for (let round = 0; round < rounds; round++) {
  const lines = await runLoad(`http://127.0.0.1:${floorPort}/`)
  const rows = await runLoad(`http://127.0.0.1:${rowFloorPort}/`)
  if (rows.non2xx > 0 || rows.errors > 0) throw new Error('the floor of rows failed')
  const result = await runLoad(`${url}/api/kip/agents`)
  if (result.non2xx > 0) throw new Error(`${result.non2xx} creates were refused`)
  if (round === 0) continue
  floor.push(lines.requests.average)
  rowFloor.push(rows.requests.average)
  measured.push(result.requests.average)
}
await keeper.stop()
await Promise.all(floors.map(stopProcess))
rmSync(dataDir, { recursive: true })

const share = median(measured) / median(floor)
report(
  'durable create of an agent',
  `${median(measured).toFixed(0)}/s, ${(share * 100).toFixed(0)} % of the floor's ${median(floor).toFixed(0)}/s; ` +
    `${((median(measured) / median(rowFloor)) * 100).toFixed(0)} % of ${median(rowFloor).toFixed(0)}/s with the row in SQLite`,
  '60 %',
  share >= 0.6,
)
