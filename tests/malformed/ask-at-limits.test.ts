import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressBook } from '#contract/index.ts'
import { engines } from '../engines.ts'
import { makeWorld, type World } from '../permission-matrix-world.ts'
import { askAtLimits } from './ask-at-limits.ts'
import { plantUnboundedList } from './plant-unbounded-list.ts'

// gates/list-bounds.ts fills every list and map of every call.
const calls = ['domainSetups.choose', 'agents.create', 'boardFiles.importFile']

describe.each(engines)('bodies at their limits, on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld(engine, { fetch: async () => new Response('', { status: 401 }) })
  })
  afterAll(() => world.app.close())

  it('are refused briefly and quickly', async () => {
    const book = addressBook().filter(({ area, name }) => calls.includes(`${area}.${name}`))
    expect(book).toHaveLength(calls.length)
    for (const call of book) {
      const { findings, places, asked } = await askAtLimits(world, call, { limitBytes: 1024 * 1024, fillings: 1 })
      expect(findings).toEqual([])
      expect(places).toBeGreaterThan(2)
      expect(asked).toBeGreaterThan(places)
    }
  }, 60_000)

  it('a list without a maximum is found', async () => {
    const { call, fetch } = plantUnboundedList(world)
    expect((await askAtLimits(world, call, { fetch, fillings: 1 })).findings).not.toEqual([])
  }, 60_000)
})
