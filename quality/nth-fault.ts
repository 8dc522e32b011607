import { report } from '../bench/measure.ts'
import { listEndpoints } from '../contract/index.ts'
import { engines, startEnginesWithoutRunner } from '../tests/engines.ts'
import { endlessStream, leakRejection, NthFaults, writeOneByOne } from '../tests/nth-fault.ts'

const readOption = (name: string) =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
// `--call=keepers.,agents.run`: only calls with one of these in their name.
const namePatterns = readOption('call')?.split(',') ?? ['']
const isTraced = process.argv.includes('--trace')
// `--part=1/3`: every third call, so that three processes can share the work.
const [partNumber = 1, partCount = 1] = readOption('part')?.split('/').map(Number) ?? []
// An endless stream, a call of custom domains only, and the health check, which reports failures in its own way.
const excludedCalls = [endlessStream, 'customDomains.site', 'diagnostics.health']
const selectedCalls = listEndpoints()
  .filter(({ area, name }) => !excludedCalls.includes(`${area}.${name}`))
  .filter(({ area, name }) => namePatterns.some((word) => `${area}.${name}`.includes(word)))
  .filter((_, index) => index % partCount === partNumber - 1)
const countPathParts = ({ endpoint }: (typeof selectedCalls)[number]) => endpoint.path.split(':').length
const register = listEndpoints().find(({ area, name }) => `${area}.${name}` === 'accounts.register')

const rejections: unknown[] = []
process.on('unhandledRejection', (reason) => rejections.push(reason))
const stopEngines = await startEnginesWithoutRunner()

for (const engine of engines) {
  const totals = { calls: 0, faults: 0, problems: [] as string[] }
  // A world per area, starting with calls without parameters: calls that export everything would include all earlier entries.
  for (const calls of Object.values(Object.groupBy(selectedCalls, ({ area }) => area))) {
    const faults = new NthFaults(engine)
    for (const call of (calls ?? []).toSorted((one, other) => countPathParts(one) - countPathParts(other))) {
      const [previousCount, startedAt] = [faults.stats.problems.length, performance.now()]
      const name = `${call.area}.${call.name}`
      await faults.tryCall(call).catch((error: Error) => faults.stats.problems.push(`${name}: ${error.stack}`))
      for (const text of faults.stats.problems.slice(previousCount)) console.log(`       ${text}`)
      if (isTraced) console.error(engine, name, faults.stats.faults, `${Math.round(performance.now() - startedAt)} ms`)
    }
    await faults.close()
    totals.calls += faults.stats.calls
    totals.faults += faults.stats.faults
    totals.problems.push(...faults.stats.problems)
  }
  const calls = new Set(totals.problems.map((text) => text.split(/[,:]/)[0]))
  const unhandledRejections = rejections.splice(0)
  for (const reason of unhandledRejections) console.log('       unhandled:', reason)
  const isFine = totals.problems.length === 0 && unhandledRejections.length === 0
  report(
    `${engine}: each database call fails once, permanently, or with a conflict, in every call`,
    isFine
      ? `${totals.faults} faults in ${totals.calls} calls, each all or nothing and fixed by retrying`
      : `${totals.problems.length} of ${totals.faults} faults, ${unhandledRejections.length} unhandled rejections: ${[...calls].join(', ')}`,
    'all or nothing, 503, a retry works',
    isFine,
  )

  const plantedFaults = new NthFaults(engine, writeOneByOne)
  if (register) await plantedFaults.tryCall(register, ['once'])
  await plantedFaults.close()
  const isNoticed = plantedFaults.stats.problems.some((text) => text.includes('half of it is done'))
  report(
    `control: ${engine}, a database that writes a batch one by one`,
    isNoticed ? 'noticed' : 'not noticed',
    'must be noticed',
    isNoticed,
  )

  const leakingFaults = new NthFaults(engine, leakRejection)
  if (register) await leakingFaults.tryCall(register, ['once'])
  await leakingFaults.close()
  const count = rejections.splice(0).length
  report(`control: ${engine}, an unhandled promise chain`, `${count} noticed`, 'must be noticed', count > 0)
}
await stopEngines()
