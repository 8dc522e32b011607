import 'fake-indexeddb/auto'
import { parseArgs } from 'node:util'
import { withoutRunner } from '#tests/engines.ts'
import { makeWorld } from '#tests/permission-matrix-world.ts'
import { report } from '../bench/measure.ts'
import { beABrowser, openTab } from './two-tabs/browser-tab.ts'
import { editableThings } from './two-tabs/editable-things.ts'
import { interleave, type Network, type Told } from './two-tabs/interleavings.ts'

// Two tabs and a device change the same entity in any order, online and offline, without overwriting each other. Tabs are
// separate module instances of the client over one storage.

const { values } = parseArgs({
  options: { times: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
})
const remove = await withoutRunner()
const world = await makeWorld('sqlite')
const ada = await world.app.as('ada', ['super-admin'])
const network: Network = { away: false }
let deafToRevisions = false
beABrowser({ token: ada.token ?? '', id: ada.id }, async (address, init = {}) => {
  if (network.away) throw new TypeError('Failed to fetch')
  const headers = new Headers(init.headers)
  if (deafToRevisions) headers.delete('If-Match')
  const body = deafToRevisions && typeof init.body === 'string' ? withoutBefore(init.body) : init.body
  return world.app.fetch(String(address), { ...init, headers, ...(body && { body }) })
})
const tabs = [await openTab('a'), await openTab('b')]
const things = Object.entries(editableThings)

const whole = await all(Number(values.times), Number(values.seed))
for (const line of [...whole.lost, ...whole.blind].slice(0, 20)) console.log(`  ${line}`)
report(
  `two tabs and a device change ${things.length} kinds of entities in ${values.times} orders`,
  `${whole.lost.length} of ${whole.words} words silently overwritten, ${whole.blind.length} of ${whole.conflicts} conflicts without both texts, ${whole.deleted} saves of deleted entities`,
  '0, 0, and some of each',
  whole.lost.length + whole.blind.length === 0 && whole.conflicts >= Number(values.times) / 10 && whole.deleted > 0,
)

deafToRevisions = true
const control = await all(Math.max(things.length, Math.round(Number(values.times) / 10)), 77)
report(
  'control: a server that ignores If-Match',
  `noticed: ${control.lost.length} words lost`,
  'must be noticed',
  control.lost.length > 0,
)
for (const tab of tabs) tab.ownQueue()?.close()
await world.app.close()
await remove()

async function all(times: number, firstSeed: number): Promise<Told> {
  const sum: Told = { words: 0, lost: [], conflicts: 0, blind: [], deleted: 0 }
  for (let number = 0; number < times; number++) {
    const thing = things[number % things.length] as (typeof things)[number]
    const told = await interleave(world, { tabs, network }, thing, firstSeed * 10_000 + number)
    sum.words += told.words
    sum.conflicts += told.conflicts
    sum.deleted += told.deleted
    sum.lost.push(...told.lost)
    sum.blind.push(...told.blind)
  }
  return sum
}

function withoutBefore(body: string): string {
  const said = JSON.parse(body) as Record<string, unknown>
  delete said.noteBefore
  return JSON.stringify(said)
}
