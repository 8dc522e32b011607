import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { median, registerSomebody, report, root, startKeeper, stopProcess, untilAnswered } from './measure.ts'

// Promise: a durable create over HTTP at ≥ 60 % of a bare node:http server that group-commits with fdatasync, 32
// connections. Nothing is acknowledged before it is on disk, on either side.

const port = 15_804
const floorPort = 15_805
const rounds = 3
const seconds = 4
const connections = 32

const folder = mkdtempSync(join(tmpdir(), 'keeper-bench-'))
const url = `http://127.0.0.1:${port}`
const keeper = await startKeeper({ PORT: String(port), KEEPER_DATA_DIR: folder })
const token = await registerSomebody(url)
const floorProcess = spawn(
  process.execPath,
  ['bench/floor-create.ts', join(folder, 'floor.jsonl'), String(floorPort)],
  { cwd: root, stdio: 'inherit' },
)
await untilAnswered(`http://127.0.0.1:${floorPort}/`)

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
const measured: number[] = []
for (let round = 0; round < rounds; round++) {
  floor.push((await load(`http://127.0.0.1:${floorPort}/`)).requests.average)
  const result = await load(`${url}/api/kip/agents`)
  if (result.non2xx > 0) throw new Error(`${result.non2xx} creates were refused`)
  measured.push(result.requests.average)
}
await keeper.stop()
await stopProcess(floorProcess)
rmSync(folder, { recursive: true })

const share = median(measured) / median(floor)
report(
  'durable create of an agent',
  `${median(measured).toFixed(0)}/s, ${(share * 100).toFixed(0)} % of the floor's ${median(floor).toFixed(0)}/s`,
  '60 %',
  share >= 0.6,
)
