import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { addressBook } from '#contract/index.ts'
import type { Engine } from '#server/db/database.ts'
import { engines, withoutRunner } from '#tests/engines.ts'
import { askAtLimits, maxAnswerBytes, maxCpuMs } from '#tests/malformed/ask-at-limits.ts'
import { nameOf } from '#tests/malformed/ask-malformed.ts'
import { plantUnboundedList } from '#tests/malformed/plant-unbounded-list.ts'
import { makeWorld, type World } from '#tests/permission-matrix-world.ts'
import { report } from '../bench/measure.ts'

// Fills every list and map of every call to its limits. `--only=boards.` for some calls, `--trace=yes` for a line per call.
const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, '').split('=')))
const book = addressBook().filter((call) => call.endpoint.body && nameOf(call).startsWith(options.only ?? ''))
const maxGrowthMb = 50

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const heldMb = async () => {
  collect()
  // Streams release their bytes after the tick in which they ended.
  await new Promise((resolve) => setTimeout(resolve, 20))
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

await main().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})

async function main(): Promise<void> {
  const remove = await withoutRunner()
  for (const engine of engines) {
    const world = await makeWorld(engine, { fetch: async () => new Response('', { status: 401 }) })
    try {
      await measure(world, engine)
      await control(world, engine)
    } finally {
      await world.app.close()
    }
  }
  await remove()
}

async function measure(world: World, engine: Engine): Promise<void> {
  const findings: string[] = []
  const sums = { asked: 0, places: 0, slowestMs: 0, refusalBytes: 0, growthMb: 0 }
  for (const call of book) {
    const before = await heldMb()
    const pass = await askAtLimits(world, call)
    const growthMb = (await heldMb()) - before
    if (growthMb > maxGrowthMb) findings.push(`${nameOf(call)} leaves ${growthMb.toFixed(0)} MB behind`)
    if (options.trace) console.log(nameOf(call), JSON.stringify({ ...pass, growthMb: Math.round(growthMb) }))
    findings.push(...pass.findings)
    sums.asked += pass.asked
    sums.places += pass.places
    sums.slowestMs = Math.max(sums.slowestMs, pass.slowestMs)
    sums.refusalBytes = Math.max(sums.refusalBytes, pass.refusalBytes)
    sums.growthMb = Math.max(sums.growthMb, growthMb)
  }
  for (const finding of findings.slice(0, 50)) console.log(finding)
  const { asked, places, slowestMs, refusalBytes, growthMb } = sums
  report(
    `${asked} bodies at the limits of ${places} lists and maps of ${book.length} calls, ${engine}`,
    `${findings.length} wrong, slowest ${slowestMs.toFixed(0)} ms of CPU, longest refusal ${refusalBytes} bytes, ${growthMb.toFixed(0)} MB more held`,
    `status below 500, CPU below ${maxCpuMs} ms and 5 ms more for each MB beyond 8, refusal below ${maxAnswerBytes} bytes, at most ${maxGrowthMb} MB more held`,
    findings.length === 0,
  )
}

async function control(world: World, engine: Engine): Promise<void> {
  const { call, fetch } = plantUnboundedList(world)
  const { findings } = await askAtLimits(world, call, { fetch })
  report(
    `control: a list without a maximum, ${engine}`,
    `noticed: ${findings.length} times, first: ${findings[0] ?? 'none'}`,
    'must be noticed',
    findings.length > 0,
  )
}
