import 'fake-indexeddb/auto'
import { parseArgs } from 'node:util'
import { report } from '../bench/measure.ts'
import { startEnginesWithoutRunner } from '../tests/engines.ts'
import { createPermissionWorld } from '../tests/permission-matrix-world.ts'
import { openTab, simulateBrowser } from './two-tabs/browser-tab.ts'
import { editableEntities } from './two-tabs/editable-entities.ts'
import { type InterleavingOutcome, interleave, type Network } from './two-tabs/interleavings.ts'

// Two tabs and a device change one entity in any order without overwriting each other. Tabs are module instances over one storage.

const { values } = parseArgs({
  options: { times: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
})
const stopEngines = await startEnginesWithoutRunner()
const world = await createPermissionWorld('sqlite')
const ada = await world.app.as('ada', ['super-admin'])
const network: Network = { offline: false }
let ignoresRevisions = false
simulateBrowser({ token: ada.token ?? '', id: ada.id }, async (address, init = {}) => {
  if (network.offline) throw new TypeError('Failed to fetch')
  const headers = new Headers(init.headers)
  if (ignoresRevisions) headers.delete('If-Match')
  const body = ignoresRevisions && typeof init.body === 'string' ? removeNoteBefore(init.body) : init.body
  return world.app.fetch(String(address), { ...init, headers, ...(body && { body }) })
})
const tabs = [await openTab('a'), await openTab('b')]
const entityKinds = Object.entries(editableEntities)

const minConflicts = Number(values.times) / 10
const finalOutcome = await runAll(Number(values.times), Number(values.seed))
for (const line of [...finalOutcome.lost, ...finalOutcome.conflictsWithoutTexts].slice(0, 20)) console.log(`  ${line}`)
report(
  `two tabs and a device change ${entityKinds.length} kinds of entities in ${values.times} orders`,
  `${finalOutcome.lost.length} of ${finalOutcome.words} words silently overwritten, ${finalOutcome.conflictsWithoutTexts.length} of ${finalOutcome.conflicts} conflicts without both texts, ${finalOutcome.deleted} saves of deleted entities`,
  `0 overwritten, 0 without both texts; at least ${minConflicts} conflicts and 1 save of a deleted entity`,
  finalOutcome.lost.length + finalOutcome.conflictsWithoutTexts.length === 0 &&
    finalOutcome.conflicts >= minConflicts &&
    finalOutcome.deleted > 0,
)

ignoresRevisions = true
const control = await runAll(Math.max(entityKinds.length, Math.round(Number(values.times) / 10)), 77)
report(
  'control: a server that ignores If-Match',
  `${control.lost.length} words silently overwritten`,
  'at least 1',
  control.lost.length > 0,
)
for (const tab of tabs) tab.getCurrentQueue()?.close()
await world.app.close()
await stopEngines()

async function runAll(times: number, firstSeed: number): Promise<InterleavingOutcome> {
  const total: InterleavingOutcome = { words: 0, lost: [], conflicts: 0, conflictsWithoutTexts: [], deleted: 0 }
  for (let number = 0; number < times; number++) {
    const entityKind = entityKinds[number % entityKinds.length] as (typeof entityKinds)[number]
    const outcome = await interleave(world, { tabs, network }, entityKind, firstSeed * 10_000 + number)
    total.words += outcome.words
    total.conflicts += outcome.conflicts
    total.deleted += outcome.deleted
    total.lost.push(...outcome.lost)
    total.conflictsWithoutTexts.push(...outcome.conflictsWithoutTexts)
  }
  return total
}

function removeNoteBefore(body: string): string {
  const parsedBody = JSON.parse(body) as Record<string, unknown>
  delete parsedBody.noteBefore
  return JSON.stringify(parsedBody)
}
