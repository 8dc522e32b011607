import { engines, withoutRunner } from '#tests/engines.ts'
import { type Context, callers, contexts, openSendingWorld } from '#tests/sending-combinations.ts'
import { report } from '../bench/measure.ts'

// Tools of an MCP server with every combination of hints, in every context, for every caller, on a server that is trusted and on
// one that is not: which run, which ask, which are refused, and what the server received.
const remove = await withoutRunner()

for (const engine of engines) {
  const world = await openSendingWorld(engine, { isShort: false })
  let calls = 0
  const wrong: string[] = []
  for (const context of Object.keys(contexts) as Context[])
    for (const caller of callers) {
      const tried = await world.try(context, caller)
      calls += tried.calls
      wrong.push(...tried.wrong)
    }
  for (const text of wrong.slice(0, 20)) console.log(`       ${text}`)
  report(
    `${engine}: a tool of a server asks, runs or is refused as the table says`,
    `${calls.toLocaleString('en-US')} calls, ${wrong.length} unlike the table`,
    '13,824 calls, 0 unlike the table',
    calls === 13_824 && wrong.length === 0,
  )

  await world.plantFault()
  const planted = await world.try('keeper', 'nobody')
  await world.close()
  const sent = planted.wrong.filter((text) => text.endsWith('runs, not refused')).length
  report(
    `control: ${engine}, tools of servers no longer count as sending`,
    sent === 48 ? `noticed: ${sent} sent without asking` : `${sent} noticed`,
    '48 must be noticed',
    sent === 48,
  )
}
await remove()
