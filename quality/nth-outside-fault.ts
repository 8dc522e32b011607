import { report } from '../bench/measure.ts'
import type { Services } from '../server/services.ts'
import { engines, startEnginesWithoutRunner } from '../tests/engines.ts'
import { listOutsideStories, NthOutsideFaults } from '../tests/nth-outside-fault.ts'

// `--story=agents.run`: only stories with this in their name; `--trace`: a line per story.
const isTraced = process.argv.includes('--trace')
const nameFilter = process.argv.find((argument) => argument.startsWith('--story='))?.slice(8) ?? ''
const rejections: unknown[] = []
process.on('unhandledRejection', (reason) => rejections.push(reason))
const stopEngines = await startEnginesWithoutRunner()

for (const engine of engines) {
  const faults = new NthOutsideFaults(engine)
  const { stats } = faults
  await faults.open()
  for (const story of listOutsideStories(nameFilter)) {
    const [previousCount, startedAt] = [stats.problems.length, performance.now()]
    await faults.tryStory(story).catch((error: Error) => stats.problems.push(`${story.name}: ${error.stack}`))
    for (const text of stats.problems.slice(previousCount)) console.log(`       ${text}`)
    if (isTraced) console.error(engine, story.name, stats.faults, `${Math.round(performance.now() - startedAt)} ms`)
  }
  await faults.close()
  const unhandledRejections = rejections.splice(0)
  for (const reason of unhandledRejections) console.log('       unhandled:', reason)
  const isFine = stats.problems.length === 0 && unhandledRejections.length === 0 && stats.faults > 0
  report(
    `${engine}: each provider, mail and hosting call fails at its Nth use, once and permanently`,
    isFine
      ? `${stats.faults} faults in ${stats.reaching.length} of ${stats.stories} stories with external calls, each reported and recovered`
      : `${stats.problems.length} problems in ${stats.faults} faults, ${unhandledRejections.length} unhandled rejections`,
    'reported in words, nothing stuck, works again',
    isFine,
  )
  console.log(`       stories: ${stats.reaching.join(', ')}`)

  const plantedFaults = new NthOutsideFaults(engine, forgetFailedRuns)
  await plantedFaults.open()
  for (const story of listOutsideStories('agents.run with openai, plain')) await plantedFaults.tryStory(story)
  await plantedFaults.close()
  const isNoticed = plantedFaults.stats.problems.some((text) => text.includes('stuck'))
  report(
    `control: ${engine}, the ends of failed runs are forgotten`,
    isNoticed ? 'noticed' : 'not noticed',
    'must be noticed',
    isNoticed,
  )
}
await stopEngines()

/** Planted defect: drops the writes that end failed runs. */
function forgetFailedRuns(services: Services): void {
  const { db } = services
  const batch = db.batch.bind(db)
  db.batch = (writes) =>
    batch(
      writes.filter((write) => {
        const { sql, parameters } = 'compile' in write ? write.compile(db) : write
        return !(
          sql.startsWith('update "runs" set "status"') &&
          (parameters.includes('error') || parameters.includes('interrupted'))
        )
      }),
    )
}
