import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import autocannon from 'autocannon'
import { median, registerSomebody, report, root, startKeeper, stopProcess, untilAnswered } from './measure.ts'

// Promise: a durable create over HTTP at ≥ 60 % of a bare node:http server that group-commits with fdatasync, 32
// connections. Nothing is acknowledged before it is on disk, on either side. Beside it stands the share of a bare server that
// puts the same row into the same table of SQLite, in one commit for what arrived together.

const port = 15_804
const floorPort = 15_805
const rowFloorPort = 15_806
/** The first is not counted, of nobody: a server that runs for weeks is measured, not the seconds in which its code is compiled. */
const rounds = 4
const seconds = 4
const connections = 32

const folder = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const url = `http://127.0.0.1:${port}`
const keeper = await startKeeper({ PORT: String(port), KEEPER_DATA_DIR: folder })
const token = await registerSomebody(url)
const rowFile = join(folder, 'floor.db')
const emptied = new DatabaseSync(join(folder, 'data.db'), { readOnly: true })
emptied.exec(`vacuum into '${rowFile}'`)
emptied.close()
const floors = [await startFloor(join(folder, 'floor.jsonl'), floorPort), await startFloor(rowFile, rowFloorPort)]

async function startFloor(path: string, onPort: number): Promise<ChildProcess> {
  const started = spawn(process.execPath, ['bench/floor-create.ts', path, String(onPort)], {
    cwd: root,
    stdio: 'inherit',
  })
  await untilAnswered(`http://127.0.0.1:${onPort}/`)
  return started
}

let made = 0
const load = (target: string) =>
  autocannon({
    url: target,
    connections,
    duration: seconds,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    setupClient(client) {
      const next = () => {
        const name = `bench-${++made}`
        client.setBody(
          JSON.stringify({
            name,
            slug: name,
            purpose: 'Reads the day’s moments and drafts a reflection only when something repeats.',
          }),
        )
      }
      next()
      client.on('response', next)
    },
  })

const floor: number[] = []
const rowFloor: number[] = []
const measured: number[] = []
for (let round = 0; round < rounds; round++) {
  const lines = await load(`http://127.0.0.1:${floorPort}/`)
  const rows = await load(`http://127.0.0.1:${rowFloorPort}/`)
  if (rows.non2xx > 0 || rows.errors > 0) throw new Error('the floor of rows failed')
  const result = await load(`${url}/api/kip/agents`)
  if (result.non2xx > 0) throw new Error(`${result.non2xx} creates were refused`)
  if (round === 0) continue
  floor.push(lines.requests.average)
  rowFloor.push(rows.requests.average)
  measured.push(result.requests.average)
}
await keeper.stop()
await Promise.all(floors.map(stopProcess))
rmSync(folder, { recursive: true })

const share = median(measured) / median(floor)
report(
  'durable create of an agent',
  `${median(measured).toFixed(0)}/s, ${(share * 100).toFixed(0)} % of the floor's ${median(floor).toFixed(0)}/s; ` +
    `${((median(measured) / median(rowFloor)) * 100).toFixed(0)} % of ${median(rowFloor).toFixed(0)}/s with the row in SQLite`,
  '60 %',
  share >= 0.6,
)
