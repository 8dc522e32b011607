import type { Services } from '#server/services.ts'
import { engines, withoutRunner } from '#tests/engines.ts'
import { NthOutsideFaults, outsideStories } from '#tests/nth-outside-fault.ts'
import { report } from '../bench/measure.ts'

// `--story=agents.run`: only stories with this in their name; `--trace`: a line per story.
const isTraced = process.argv.includes('--trace')
const word = process.argv.find((each) => each.startsWith('--story='))?.slice(8) ?? ''
const rejected: unknown[] = []
process.on('unhandledRejection', (reason) => rejected.push(reason))
const remove = await withoutRunner()

for (const engine of engines) {
  const faults = new NthOutsideFaults(engine)
  const { figures } = faults
  await faults.open()
  for (const story of outsideStories(word)) {
    const [before, began] = [figures.wrong.length, performance.now()]
    await faults.tryStory(story).catch((error: Error) => figures.wrong.push(`${story.name}: ${error.stack}`))
    for (const text of figures.wrong.slice(before)) console.log(`       ${text}`)
    if (isTraced) console.error(engine, story.name, figures.faults, `${Math.round(performance.now() - began)} ms`)
  }
  await faults.close()
  const unheard = rejected.splice(0)
  for (const reason of unheard) console.log('       unhandled:', reason)
  const holds = figures.wrong.length === 0 && unheard.length === 0 && figures.faults > 0
  report(
    `${engine}: each provider, mail and hosting call fails at its Nth use, once and permanently`,
    holds
      ? `${figures.faults} faults in ${figures.reaching.length} of ${figures.stories} stories with external calls, each reported and recovered`
      : `${figures.wrong.length} wrong in ${figures.faults} faults, ${unheard.length} unhandled rejections`,
    'reported in words, nothing stuck, works again',
    holds,
  )
  console.log(`       stories: ${figures.reaching.join(', ')}`)

  const planted = new NthOutsideFaults(engine, forgetful)
  await planted.open()
  for (const story of outsideStories('agents.run with openai, plain')) await planted.tryStory(story)
  await planted.close()
  const isNoticed = planted.figures.wrong.some((text) => text.includes('stuck'))
  report(
    `control: ${engine}, the ends of failed runs are forgotten`,
    isNoticed ? 'noticed' : 'not noticed',
    'must be noticed',
    isNoticed,
  )
}
await remove()

/** Planted defect: drops the writes that end failed runs. */
function forgetful(services: Services): void {
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
