import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, createTestApp, type TestApp } from '#tests/test-app.ts'
import { largeStates } from './large-states.ts'
import { computeWriteRatio, maxBytesPerByte, measureWrites } from './measure-writes.ts'
import { plantCompleteSnapshots } from './planted-versions.ts'

const size = { boardFrames: 8 }
const requests = 6

/** The short form of `quality/write-amplification.ts`. */
describe('a small request about something large', () => {
  let app: TestApp
  let ada: Actor
  beforeAll(async () => {
    app = await createTestApp('sqlite')
    ada = await app.as('ada')
  })
  afterAll(() => app.close())

  it.each(largeStates)('$name writes at most 20 bytes per byte sent', async ({ setUp, minRequests = 0 }) => {
    const request = await setUp(ada, size)
    const writes = await measureWrites(app, ada, { requests: Math.max(requests, minRequests), request })
    expect(computeWriteRatio(writes), JSON.stringify(writes)).toBeLessThanOrEqual(maxBytesPerByte)
  })

  it('versions stored as full snapshots exceed the limit', async () => {
    const [renaming] = largeStates
    const request = await renaming?.setUp(ada, size)
    if (!request) throw new Error('no board')
    const writes = await measureWrites(app, ada, { requests, request }, () => plantCompleteSnapshots(app))
    expect(computeWriteRatio(writes)).toBeGreaterThan(maxBytesPerByte)
  })
})
