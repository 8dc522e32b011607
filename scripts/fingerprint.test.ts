import { afterEach, expect, test, vi } from 'vitest'
import { computeFingerprint } from './fingerprint.ts'

afterEach(() => vi.unstubAllEnvs())

test('changing or unsetting a build variable makes a build stale', () => {
  const computeCurrent = () => computeFingerprint(['package.json'], ['KEEPER_SERVICE_WORKER'])
  const ordinary = computeCurrent()
  vi.stubEnv('KEEPER_SERVICE_WORKER', 'off')
  expect(computeCurrent()).not.toBe(ordinary)
  vi.unstubAllEnvs()
  expect(computeCurrent()).toBe(ordinary)
})
