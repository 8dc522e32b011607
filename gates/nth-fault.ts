import { addressBook } from '#contract/index.ts'
import { engines, withoutRunner } from '#tests/engines.ts'
import { chainUnheard, endless, NthFaults, writeOneByOne } from '#tests/nth-fault.ts'
import { report } from '../bench/measure.ts'

const given = (name: string) => process.argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3)
// `--call=keepers.,agents.run`: only calls with one of these in their name.
const words = given('call')?.split(',') ?? ['']
// `--trace`: a line per call.
const isTraced = process.argv.includes('--trace')
// `--part=1/3`: every third call, so that three processes can share the work.
const [part = 1, parts = 1] = given('part')?.split('/').map(Number) ?? []
// An endless stream, a call of custom domains only, and the health check, which reports failures in its own way.
const elsewhere = [endless, 'customDomains.site', 'diagnostics.health']
const every = addressBook()
  .filter(({ area, name }) => !elsewhere.includes(`${area}.${name}`))
  .filter(({ area, name }) => words.some((word) => `${area}.${name}`.includes(word)))
  .filter((_, index) => index % parts === part - 1)
const namedBy = ({ endpoint }: (typeof every)[number]) => endpoint.path.split(':').length
const register = addressBook().find(({ area, name }) => `${area}.${name}` === 'accounts.register')

const rejected: unknown[] = []
process.on('unhandledRejection', (reason) => rejected.push(reason))
const remove = await withoutRunner()

for (const engine of engines) {
  const figures = { calls: 0, faults: 0, wrong: [] as string[] }
  // A world per area, starting with calls without parameters: calls that export everything would include all earlier entries.
  for (const calls of Object.values(Object.groupBy(every, ({ area }) => area))) {
    const faults = new NthFaults(engine)
    for (const call of (calls ?? []).toSorted((one, other) => namedBy(one) - namedBy(other))) {
      const [before, began] = [faults.figures.wrong.length, performance.now()]
      const name = `${call.area}.${call.name}`
      await faults.tryCall(call).catch((error: Error) => faults.figures.wrong.push(`${name}: ${error.stack}`))
      for (const text of faults.figures.wrong.slice(before)) console.log(`       ${text}`)
      if (isTraced) console.error(engine, name, faults.figures.faults, `${Math.round(performance.now() - began)} ms`)
    }
    await faults.close()
    figures.calls += faults.figures.calls
    figures.faults += faults.figures.faults
    figures.wrong.push(...faults.figures.wrong)
  }
  const calls = new Set(figures.wrong.map((text) => text.split(/[,:]/)[0]))
  const unheardOf = rejected.splice(0)
  for (const reason of unheardOf) console.log('       unhandled:', reason)
  const isFine = figures.wrong.length === 0 && unheardOf.length === 0
  report(
    `${engine}: each database call fails once, permanently, or with a conflict, in every call`,
    isFine
      ? `${figures.faults} faults in ${figures.calls} calls, each all or nothing and fixed by retrying`
      : `${figures.wrong.length} of ${figures.faults} faults, ${unheardOf.length} unhandled rejections: ${[...calls].join(', ')}`,
    'all or nothing, 503, a retry works',
    isFine,
  )

  const planted = new NthFaults(engine, writeOneByOne)
  if (register) await planted.tryCall(register, ['once'])
  await planted.close()
  const isNoticed = planted.figures.wrong.some((text) => text.includes('half of it is done'))
  report(
    `control: ${engine}, a database that writes a batch one by one`,
    isNoticed ? 'noticed' : 'not noticed',
    'must be noticed',
    isNoticed,
  )

  const unheard = new NthFaults(engine, chainUnheard)
  if (register) await unheard.tryCall(register, ['once'])
  await unheard.close()
  const count = rejected.splice(0).length
  report(`control: ${engine}, an unhandled promise chain`, `${count} noticed`, 'must be noticed', count > 0)
}
await remove()
