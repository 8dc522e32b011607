import { addressBook } from '#contract/index.ts'
import { engines, withoutRunner } from '#tests/engines.ts'
import { NthFaults, writeOneByOne } from '#tests/nth-fault.ts'
import { report } from '../bench/measure.ts'

/** `--call=keepers.`: only calls whose name has it. */
const word = process.argv.find((each) => each.startsWith('--call='))?.slice(7) ?? ''
const changing = addressBook().filter(
  ({ endpoint, area, name }) => endpoint.method !== 'GET' && `${area}.${name}`.includes(word),
)
const register = addressBook().find(({ area, name }) => `${area}.${name}` === 'accounts.register')

const rejected: unknown[] = []
process.on('unhandledRejection', (reason) => rejected.push(reason))
const remove = await withoutRunner()

for (const engine of engines) {
  const faults = new NthFaults(engine)
  const { figures } = faults
  for (const call of changing) {
    const before = figures.wrong.length
    await faults.tryCall(call).catch((error: Error) => figures.wrong.push(`${call.area}.${call.name}: ${error.stack}`))
    for (const text of figures.wrong.slice(before)) console.log(`       ${text}`)
  }
  await faults.close()
  const calls = new Set(figures.wrong.map((text) => text.split(/[,:]/)[0]))
  const isFine = figures.wrong.length === 0 && rejected.length === 0
  report(
    `${engine}: each call of the database fails once, for good, or collides, in every call that changes something`,
    isFine
      ? `${figures.faults} faults in ${figures.calls} calls, each whole or nothing and mended by asking again`
      : `${figures.wrong.length} of ${figures.faults} faults, ${rejected.length} rejections nobody heard: ${[...calls].join(', ')}`,
    'whole or nothing, 503, the same again works',
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
}
await remove()
