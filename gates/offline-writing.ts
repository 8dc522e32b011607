import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { report, startKeeper } from '../bench/measure.ts'
import { findBrowser } from '../scripts/find-browser.ts'
import { startLossyProxy } from './offline/lossy-proxy.ts'
import { offlineRound, type RoundOutcome } from './offline/round.ts'

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
const at = { proxy: lossyProxy, server: `http://127.0.0.1:${port}`, browser, edits: Number(values.edits) }

const whole = await rounds(Number(values.rounds), Number(values.first))
for (const line of [...whole.lost, ...whole.twice, ...whole.disorder, ...whole.unseen].slice(0, 40))
  console.log(`  ${line}`)
report(
  `offline edits are stored once and in order, ${values.rounds} rounds of a reload and a SIGKILL`,
  `${whole.lost.length} lost of ${whole.edits} edits, ${whole.twice.length} twice, ${whole.disorder.length} out of order, ${whole.unseen.length} conflicts overwritten or not shown, ${whole.lostAnswers} responses lost`,
  '0, 0, 0, 0',
  whole.lost.length + whole.twice.length + whole.disorder.length + whole.unseen.length === 0 && whole.lostAnswers > 0,
)

if (values.control === 'yes') {
  const memory = await offlineRound({ ...at, edits: 40, isMemoryOnly: true }, 9000)
  report(
    'control: a queue in memory only',
    `noticed: ${memory.lost.length} lost`,
    'must be noticed',
    memory.lost.length > 0,
  )
  lossyProxy.forgetsIds = true
  const again = await offlineRound({ ...at, edits: 40 }, 9002)
  report(
    'control: every attempt has a new ID',
    `noticed: ${again.twice.length} twice`,
    'must be noticed',
    again.twice.length > 0,
  )
}

await lossyProxy.close()
await keeper.stop()
rmSync(dataDir, { recursive: true, force: true })

async function rounds(count: number, first: number): Promise<RoundOutcome> {
  const total: RoundOutcome = { edits: 0, lost: [], twice: [], disorder: [], unseen: [], lostAnswers: 0 }
  for (let number = first; number < first + count; number++) {
    const one = await offlineRound(at, number)
    const { edits, lostAnswers, ...lists } = one
    total.edits += edits
    total.lostAnswers += lostAnswers
    for (const [name, lines] of Object.entries(lists)) total[name as keyof typeof lists].push(...lines)
    console.log(
      `  round ${number}: ${edits} edits, ${lostAnswers} responses lost, ${Object.entries(lists)
        .map(([name, lines]) => `${lines.length} ${name}`)
        .join(', ')}`,
    )
  }
  return total
}
