import { report } from '../bench/measure.ts'
import { engines, startEnginesWithoutRunner } from '../tests/engines.ts'
import { type Context, callers, contexts, openSendingWorld } from '../tests/sending-combinations.ts'

// Calls MCP tools with every combination of hints, in every context, as every caller, on trusted and untrusted servers.
const stopEngines = await startEnginesWithoutRunner()

for (const engine of engines) {
  const world = await openSendingWorld(engine, { isShort: false })
  let callCount = 0
  const deviations: string[] = []
  for (const context of Object.keys(contexts) as Context[])
    for (const caller of callers) {
      const outcome = await world.tryTools(context, caller)
      callCount += outcome.callCount
      deviations.push(...outcome.deviations)
    }
  for (const text of deviations.slice(0, 20)) console.log(`       ${text}`)
  report(
    `${engine}: tools ask, run or are refused as the table says`,
    `${callCount.toLocaleString('en-US')} calls, ${deviations.length} different from the table`,
    '13,824 calls, 0 different from the table',
    callCount === 13_824 && deviations.length === 0,
  )

  await world.plantDefect()
  const plantedOutcome = await world.tryTools('keeper', 'unattended')
  await world.close()
  const sentCount = plantedOutcome.deviations.filter((text) => text.endsWith('runs, not refused')).length
  report(
    `control: ${engine}, server tools no longer count as sending`,
    sentCount === 48 ? `noticed: ${sentCount} sent without asking` : `${sentCount} noticed`,
    '48 must be noticed',
    sentCount === 48,
  )
}
await stopEngines()
