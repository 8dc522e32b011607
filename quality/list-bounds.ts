import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { report } from '../bench/measure.ts'
import { listEndpoints } from '../contract/index.ts'
import type { Engine } from '../server/db/database.ts'
import { engines, startEnginesWithoutRunner } from '../tests/engines.ts'
import { maxAnswerBytes, maxCpuMs, sendBodiesAtLimits } from '../tests/malformed/bodies-at-limits.ts'
import { plantUnboundedList } from '../tests/malformed/plant-unbounded-list.ts'
import { getCallName } from '../tests/permission-matrix-cells.ts'
import { createPermissionWorld, type PermissionWorld } from '../tests/permission-matrix-world.ts'

// Fills every list and map of every call to its limits. `--only=boards.` for some calls, `--trace=yes` for a line per call.
const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, '').split('=')))
const calls = listEndpoints().filter((call) => call.endpoint.body && getCallName(call).startsWith(options.only ?? ''))
const maxGrowthMb = 50

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const measureHeapMb = async () => {
  collectGarbage()
  // Streams release their bytes after the tick in which they ended.
  await new Promise((resolve) => setTimeout(resolve, 20))
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

await measureEngines().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})

async function measureEngines(): Promise<void> {
  const stopEngines = await startEnginesWithoutRunner()
  for (const engine of engines) {
    const world = await createPermissionWorld(engine, { fetch: async () => new Response('', { status: 401 }) })
    try {
      await measure(world, engine)
      await checkControl(world, engine)
    } finally {
      await world.app.close()
    }
  }
  await stopEngines()
}

async function measure(world: PermissionWorld, engine: Engine): Promise<void> {
  const findings: string[] = []
  const totals = { requestCount: 0, listCount: 0, slowestMs: 0, refusalBytes: 0, growthMb: 0 }
  for (const call of calls) {
    const heapBefore = await measureHeapMb()
    const pass = await sendBodiesAtLimits(world, call)
    const growthMb = (await measureHeapMb()) - heapBefore
    if (growthMb > maxGrowthMb) findings.push(`${getCallName(call)} leaves ${growthMb.toFixed(0)} MB behind`)
    if (options.trace) console.log(getCallName(call), JSON.stringify({ ...pass, growthMb: Math.round(growthMb) }))
    findings.push(...pass.findings)
    totals.requestCount += pass.requestCount
    totals.listCount += pass.targetCount
    totals.slowestMs = Math.max(totals.slowestMs, pass.slowestMs)
    totals.refusalBytes = Math.max(totals.refusalBytes, pass.refusalBytes)
    totals.growthMb = Math.max(totals.growthMb, growthMb)
  }
  for (const finding of findings.slice(0, 50)) console.log(finding)
  const { requestCount, listCount, slowestMs, refusalBytes, growthMb } = totals
  report(
    `${requestCount} bodies at the limits of ${listCount} lists and maps of ${calls.length} calls, ${engine}`,
    `${findings.length} wrong, slowest ${slowestMs.toFixed(0)} ms of CPU, longest refusal ${refusalBytes} bytes, ${growthMb.toFixed(0)} MB retained`,
    `status below 500, CPU below ${maxCpuMs} ms and 5 ms more for each MB beyond 8, refusal below ${maxAnswerBytes} bytes, at most ${maxGrowthMb} MB retained`,
    findings.length === 0,
  )
}

async function checkControl(world: PermissionWorld, engine: Engine): Promise<void> {
  const { call, fetch } = plantUnboundedList(world)
  const { findings } = await sendBodiesAtLimits(world, call, { fetch })
  report(
    `control: a list without a maximum, ${engine}`,
    `noticed: ${findings.length} times, first: ${findings[0] ?? 'none'}`,
    'must be noticed',
    findings.length > 0,
  )
}
