import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWebFiles } from '#server/http/web-files.ts'
import { engines } from './engines.ts'
import {
  cachedByReader,
  cachedBySpelling,
  maxGrowthMiB,
  publicAddresses,
  requestSpellings,
  smallBuild,
  spell,
} from './spellings.ts'

// gates/spellings.ts requests every built file and public call in 2,000 spellings each.
describe('spellings of public addresses', () => {
  const [engine = 'sqlite' as const] = engines
  let build: ReturnType<typeof smallBuild>
  beforeAll(() => {
    build = smallBuild()
  })
  afterAll(() => build.remove())
  const script = () => build.files.map((path) => ({ method: 'HEAD', path }))

  it('are unique per number', () => {
    const spelled = Array.from({ length: 2000 }, (_, number) => spell('/assets/app-1a2b.js', number))
    expect(new Set(spelled).size).toBe(2000)
  })

  it('leave nothing in memory', async () => {
    const some = await requestSpellings(engine, createWebFiles(build.directory), publicAddresses(build.files), 15)
    expect(some.growthMiB).toBeLessThan(maxGrowthMiB)
    const { growthMiB, statuses } = await requestSpellings(engine, createWebFiles(build.directory), script(), 300)
    expect(growthMiB).toBeLessThan(maxGrowthMiB)
    expect(statuses[200], 'some of them return the file').toBeGreaterThan(20)
    expect(Object.keys({ ...statuses, ...some.statuses }).filter((status) => Number(status) >= 500)).toEqual([])
  }, 60_000)

  it('are detected in a cache keyed by spelling or by reader', async () => {
    const bySpelling = await requestSpellings(engine, cachedBySpelling(build.directory), script(), 300)
    expect(bySpelling.growthMiB).toBeGreaterThan(maxGrowthMiB)
    const byReader = await requestSpellings(engine, cachedByReader(build.directory), script(), 300)
    expect(byReader.growthMiB).toBeGreaterThan(maxGrowthMiB)
  }, 60_000)
})
