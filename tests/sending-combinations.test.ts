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
    for (const caller of ['person', 'unattended'] as const) {
      expect(await world.tryTools(context, caller)).toEqual({ callCount: 32, deviations: [] })
    }
  })

  it('are not offered to visitors', async () => {
    expect(await world.tryTools('keeper', 'visitor')).toEqual({ callCount: 32, deviations: [] })
  })

  it('are caught when they no longer count as sending', async () => {
    await world.plantDefect()
    const { deviations } = await world.tryTools('keeper', 'unattended')
    expect(deviations.filter((text) => text.endsWith('runs, not refused'))).toHaveLength(3)
  })
})
