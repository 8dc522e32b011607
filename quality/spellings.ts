import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { report, root } from '../bench/measure.ts'
import { createWebFiles } from '../server/http/web-files.ts'
import { engines, startEnginesWithoutRunner } from '../tests/engines.ts'
import {
  createReaderCache,
  createSpellingCache,
  listPublicRequests,
  maxGrowthMiB,
  requestSpellings,
  type SpellingResult,
} from '../tests/spellings.ts'

// Requests every public call, page and the `--files=` largest built files in `--times=` spellings; memory must not grow.
const cliOptions = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, '').split('=')))
const times = Number(cliOptions.times ?? 2000)
const directory = join(root, 'dist/web')
const filesBySize = readdirSync(directory, { recursive: true })
  .map((name) => ({ path: `/${String(name)}`, stats: statSync(join(directory, String(name))) }))
  .filter(({ path, stats }) => stats.isFile() && !path.endsWith('.br'))
  .toSorted((one, other) => other.stats.size - one.stats.size)
  .map(({ path }) => path)
const files = filesBySize.slice(0, Number(cliOptions.files ?? 40))

const toText = ({ requests, statuses, baselineMiB, growthMiB }: SpellingResult) =>
  `${growthMiB.toFixed(1)} MiB more than ${baselineMiB.toFixed(0)} after ${requests.toLocaleString('en-US')} requests ` +
  `(${Object.entries(statuses)
    .map(([status, count]) => `${count}×${status}`)
    .join(' ')})`

const stopEngines = await startEnginesWithoutRunner()
for (const engine of engines) {
  const addresses = listPublicRequests(files)
  const result = await requestSpellings(engine, createWebFiles(directory), addresses, times)
  const name = `${times} spellings of each of ${addresses.length} public addresses, ${engine}`
  report(`${name}: memory`, toText(result), `${maxGrowthMiB} MiB`, result.growthMiB < maxGrowthMiB)
  const faults = Object.entries(result.statuses).filter(([status]) => Number(status) >= 500)
  report(`${name}: no fault of the server`, `${faults.length} kinds`, '0', faults.length === 0)
  const scripts = files.slice(0, 3).map((path) => ({ method: 'HEAD', path }))
  for (const [defect, web] of [
    ['a cache by spelling', createSpellingCache(directory)],
    ['a cache by reader', createReaderCache(directory)],
  ] as const) {
    const planted = await requestSpellings(engine, web, scripts, Math.min(times, 600))
    report(
      `control: ${defect}, ${engine}`,
      `noticed: ${toText(planted)}`,
      'must be noticed',
      planted.growthMiB >= maxGrowthMiB,
    )
  }
}
await stopEngines()
