import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from './engines.ts'
import { type Context, openSendingWorld, type SendingWorld } from './sending-combinations.ts'

// quality/sending-tools.ts covers every combination of hints and contexts.
const shortContexts: Context[] = ['keeper', 'an earlier turn']

describe.each(engines)('server tools by their declared hints, on %s', (engine) => {
  let world: SendingWorld
  beforeAll(async () => {
    world = await openSendingWorld(engine, { isShort: true })
  })
  afterAll(() => world.close())

  it.each(shortContexts)('ask, run or are refused as the table says: %s', async (context) => {
    for (const caller of ['person', 'nobody'] as const) {
      const { calls, wrong } = await world.try(context, caller)
      expect(wrong).toEqual([])
      expect(calls).toBe(32)
    }
  })

  it('are not offered to visitors', async () => {
    expect(await world.try('keeper', 'visitor')).toEqual({ calls: 32, wrong: [] })
  })

  it('are caught when they no longer count as sending', async () => {
    await world.plantFault()
    const { wrong } = await world.try('keeper', 'nobody')
    expect(wrong.filter((text) => text.endsWith('runs, not refused'))).toHaveLength(3)
  })
})
