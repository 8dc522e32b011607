import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWebFiles } from '#server/http/web-files.ts'
import { engines } from './engines.ts'
import {
  createReaderCache,
  createSmallBuild,
  createSpelling,
  createSpellingCache,
  listPublicRequests,
  maxGrowthMiB,
  requestSpellings,
} from './spellings.ts'

// quality/spellings.ts requests every built file and public call in 2,000 spellings each.
describe('spellings of public addresses', () => {
  const [engine = 'sqlite' as const] = engines
  let smallBuild: ReturnType<typeof createSmallBuild>
  beforeAll(() => {
    smallBuild = createSmallBuild()
  })
  afterAll(() => smallBuild.remove())
  const listScripts = () => smallBuild.files.map((path) => ({ method: 'HEAD', path }))

  it('are unique per number', () => {
    const spelled = Array.from({ length: 2000 }, (_, number) => createSpelling('/assets/app-1a2b.js', number))
    expect(new Set(spelled).size).toBe(2000)
  })

  it('leave nothing in memory', async () => {
    const publicResult = await requestSpellings(
      engine,
      createWebFiles(smallBuild.directory),
      listPublicRequests(smallBuild.files),
      15,
    )
    expect(publicResult.growthMiB).toBeLessThan(maxGrowthMiB)
    const { growthMiB, statuses } = await requestSpellings(
      engine,
      createWebFiles(smallBuild.directory),
      listScripts(),
      300,
    )
    expect(growthMiB).toBeLessThan(maxGrowthMiB)
    expect(statuses[200], 'some of them return the file').toBeGreaterThan(20)
    expect(Object.keys({ ...statuses, ...publicResult.statuses }).filter((status) => Number(status) >= 500)).toEqual([])
  }, 60_000)

  it('are detected in a cache keyed by spelling or by reader', async () => {
    const bySpelling = await requestSpellings(engine, createSpellingCache(smallBuild.directory), listScripts(), 300)
    expect(bySpelling.growthMiB).toBeGreaterThan(maxGrowthMiB)
    const byReader = await requestSpellings(engine, createReaderCache(smallBuild.directory), listScripts(), 300)
    expect(byReader.growthMiB).toBeGreaterThan(maxGrowthMiB)
  }, 60_000)
})
