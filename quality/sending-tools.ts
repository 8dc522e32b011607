import { report } from '../bench/measure.ts'
import { engines, startEnginesWithoutRunner } from '../tests/engines.ts'
import { type Context, callers, contexts, openSendingWorld } from '../tests/sending-combinations.ts'

// MCP tools with every combination of hints, in every context, for every caller, on trusted and untrusted servers.
const stopEngines = await startEnginesWithoutRunner()

for (const engine of engines) {
  const world = await openSendingWorld(engine, { isShort: false })
  let calls = 0
  const wrong: string[] = []
  for (const context of Object.keys(contexts) as Context[])
    for (const caller of callers) {
      const outcome = await world.try(context, caller)
      calls += outcome.calls
      wrong.push(...outcome.wrong)
    }
  for (const text of wrong.slice(0, 20)) console.log(`       ${text}`)
  report(
    `${engine}: tools ask, run or are refused as the table says`,
    `${calls.toLocaleString('en-US')} calls, ${wrong.length} different from the table`,
    '13,824 calls, 0 different from the table',
    calls === 13_824 && wrong.length === 0,
  )

  await world.plantFault()
  const plantedOutcome = await world.try('keeper', 'nobody')
  await world.close()
  const sentCount = plantedOutcome.wrong.filter((text) => text.endsWith('runs, not refused')).length
  report(
    `control: ${engine}, server tools no longer count as sending`,
    sentCount === 48 ? `noticed: ${sentCount} sent without asking` : `${sentCount} noticed`,
    '48 must be noticed',
    sentCount === 48,
  )
}
await stopEngines()
