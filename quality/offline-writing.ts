import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { report, startKeeper } from '../bench/measure.ts'
import { findBrowser } from '../scripts/find-browser.ts'
import { startLossyProxy } from './offline/lossy-proxy.ts'
import { type RoundOutcome, runOfflineRound } from './offline/round.ts'

// Offline edits, a reload, a browser SIGKILL and lost responses: each edit is stored once, in order, and conflicts show both texts.

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    edits: { type: 'string', default: '200' },
    first: { type: 'string', default: '0' },
    control: { type: 'string', default: 'yes' },
    /** Base of two ports: server and connection. */
    port: { type: 'string', default: '15881' },
  },
})
const port = Number(values.port)
const dataDir = mkdtempSync(join(tmpdir(), 'keeper-gate-'))
const browser = await findBrowser()
const keeper = await startKeeper({ PORT: `${port}`, KEEPER_DATA_DIR: dataDir, KEEPER_REGISTRATIONS_PER_HOUR: '100000' })
const lossyProxy = await startLossyProxy(port + 1, port)
const roundOptions = { proxy: lossyProxy, server: `http://127.0.0.1:${port}`, browser, edits: Number(values.edits) }

const totals = await runRounds(Number(values.rounds), Number(values.first))
for (const line of [...totals.lost, ...totals.duplicates, ...totals.misordered, ...totals.unseen].slice(0, 40))
  console.log(`  ${line}`)
report(
  `offline edits are stored once and in order, ${values.rounds} rounds of a reload and a SIGKILL`,
  `${totals.lost.length} lost of ${totals.edits} edits, ${totals.duplicates.length} twice, ${totals.misordered.length} out of order, ${totals.unseen.length} conflicts overwritten or not shown, ${totals.lostResponseCount} responses lost`,
  '0, 0, 0, 0',
  totals.lost.length + totals.duplicates.length + totals.misordered.length + totals.unseen.length === 0 &&
    totals.lostResponseCount > 0,
)

if (values.control === 'yes') {
  const memoryOutcome = await runOfflineRound({ ...roundOptions, edits: 40, isMemoryOnly: true }, 9000)
  report(
    'control: a queue in memory only',
    `noticed: ${memoryOutcome.lost.length} lost`,
    'must be noticed',
    memoryOutcome.lost.length > 0,
  )
  lossyProxy.forgetsIds = true
  const controlOutcome = await runOfflineRound({ ...roundOptions, edits: 40 }, 9002)
  report(
    'control: every attempt has a new ID',
    `noticed: ${controlOutcome.duplicates.length} twice`,
    'must be noticed',
    controlOutcome.duplicates.length > 0,
  )
}

await lossyProxy.close()
await keeper.stop()
rmSync(dataDir, { recursive: true, force: true })

async function runRounds(count: number, first: number): Promise<RoundOutcome> {
  const total: RoundOutcome = { edits: 0, lost: [], duplicates: [], misordered: [], unseen: [], lostResponseCount: 0 }
  for (let number = first; number < first + count; number++) {
    const outcome = await runOfflineRound(roundOptions, number)
    const { edits, lostResponseCount, ...lists } = outcome
    total.edits += edits
    total.lostResponseCount += lostResponseCount
    for (const [name, lines] of Object.entries(lists)) total[name as keyof typeof lists].push(...lines)
    console.log(
      `  round ${number}: ${edits} edits, ${lostResponseCount} responses lost, ${Object.entries(lists)
        .map(([name, lines]) => `${lines.length} ${name}`)
        .join(', ')}`,
    )
  }
  return total
}
