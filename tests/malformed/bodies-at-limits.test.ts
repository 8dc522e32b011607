import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEndpoints } from '#contract/index.ts'
import { engines } from '../engines.ts'
import { createPermissionWorld, type PermissionWorld } from '../permission-matrix-world.ts'
import { sendBodiesAtLimits } from './bodies-at-limits.ts'
import { plantUnboundedList } from './plant-unbounded-list.ts'

// quality/list-bounds.ts fills every list and map of every call.
const calls = ['domainSetups.choose', 'agents.create', 'boardFiles.importFile']

describe.each(engines)('bodies at their limits, on %s', (engine) => {
  let world: PermissionWorld
  beforeAll(async () => {
    world = await createPermissionWorld(engine, { fetch: async () => new Response('', { status: 401 }) })
  })
  afterAll(() => world.app.close())

  it('are refused quickly, with a short answer', async () => {
    const endpoints = listEndpoints().filter(({ area, name }) => calls.includes(`${area}.${name}`))
    expect(endpoints).toHaveLength(calls.length)
    for (const call of endpoints) {
      const { findings, targetCount, requestCount } = await sendBodiesAtLimits(world, call, {
        limitBytes: 1024 * 1024,
        maxFillings: 1,
      })
      expect(findings).toEqual([])
      expect(targetCount).toBeGreaterThan(2)
      expect(requestCount).toBeGreaterThan(targetCount)
    }
  }, 60_000)

  it('a list without a maximum is found', async () => {
    const { call, fetch } = plantUnboundedList(world)
    expect((await sendBodiesAtLimits(world, call, { fetch, maxFillings: 1 })).findings).not.toEqual([])
  }, 60_000)
})
