import { afterEach, expect, test, vi } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'

afterEach(() => vi.unstubAllEnvs())

test('changing or unsetting a build variable makes a build stale', () => {
  const present = () => fingerprintOf(['package.json'], ['KEEPER_SERVICE_WORKER'])
  const ordinary = present()
  vi.stubEnv('KEEPER_SERVICE_WORKER', 'off')
  expect(present()).not.toBe(ordinary)
  vi.unstubAllEnvs()
  expect(present()).toBe(ordinary)
})
