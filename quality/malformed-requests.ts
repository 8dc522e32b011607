import { percentile, report } from '../bench/measure.ts'
import { type EndpointEntry, listEndpoints } from '../contract/index.ts'
import { listServedCalls } from '../server/app.ts'
import type { Engine } from '../server/db/database.ts'
import { Problem } from '../server/http/problem.ts'
import { createRouter } from '../server/http/router.ts'
import type { Handler } from '../server/http/serve-area.ts'
import { engines, startEnginesWithoutRunner } from '../tests/engines.ts'
import { formatFinding, type MalformedPass, sendMalformedRequests } from '../tests/malformed/send-malformed.ts'
import { measureUsedMiB } from '../tests/memory-usage.ts'
import { getCallName } from '../tests/permission-matrix-cells.ts'
import { createPermissionWorld, type PermissionWorld } from '../tests/permission-matrix-world.ts'

// `--times=` malformed requests per call, `--seed=` to reproduce, `--only=agents.` for some calls, `--trace=yes` for a line per call.
const cliOptions = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, '').split('=')))
const times = Number(cliOptions.times ?? 2000)
const seed = Number(cliOptions.seed ?? 20_261_121)
const calls = listEndpoints().filter((call) => getCallName(call).startsWith(cliOptions.only ?? ''))
const maxShownPerKind = 3
const maxGrowth = 0.2
const refusingProvider = { fetch: async () => Response.json({ error: { message: 'No.' } }, { status: 401 }) }

const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))
process.on('uncaughtException', (error) => unhandled.push(error))

// An unhandled rejection of this script itself must end it.
await measureEngines().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})

async function measureEngines(): Promise<void> {
  const stopEngines = await startEnginesWithoutRunner()
  for (const engine of engines) await measure(engine)
  await stopEngines()
}

async function runInWorld(engine: Engine, work: (world: PermissionWorld) => Promise<void>): Promise<void> {
  const world = await createPermissionWorld(engine, refusingProvider)
  try {
    await work(world)
  } finally {
    await world.app.close()
    // A closed server is garbage that no real server creates; only what requests leave behind is measured.
    measureUsedMiB()
  }
}

async function measure(engine: Engine): Promise<void> {
  // Warm-up, so that code loaded and compiled at first use isn't measured.
  await runInWorld(engine, async (world) => {
    const warmUp = Math.min(times, 40)
    for (const call of calls) await sendMalformedRequests(world, call, { times: warmUp, seed: seed - 1_000_000 })
  })
  unhandled.length = 0
  // Heap rather than resident memory, because the allocator varies by a quarter.
  const heapSamples: number[] = []
  const totals: MalformedPass = { requestCount: 0, statuses: {}, milliseconds: [], findings: [] }
  const slow: string[] = []
  const sendMalformed = async (world: PermissionWorld, call: EndpointEntry) => {
    const startedAt = performance.now()
    const pass = await sendMalformedRequests(world, call, { times, seed })
    const elapsedMs = (performance.now() - startedAt).toFixed(0)
    if (cliOptions.trace)
      console.log(
        getCallName(call),
        `${elapsedMs} ms, ${measureUsedMiB().toFixed(0)} MiB`,
        JSON.stringify(pass.statuses),
      )
    totals.requestCount += pass.requestCount
    for (const milliseconds of pass.milliseconds) totals.milliseconds.push(milliseconds)
    for (const finding of pass.findings) totals.findings.push(finding)
    for (const [status, count] of Object.entries(pass.statuses))
      totals.statuses[Number(status)] = (totals.statuses[Number(status)] ?? 0) + count
    const p99 = percentile(pass.milliseconds, 0.99)
    if (p99 >= 1000) slow.push(`${getCallName(call)} ${p99.toFixed(0)} ms`)
  }
  // A new world per call; in a shared one, its person would reach the limits of keepers and themes.
  for (const call of calls) {
    await runInWorld(engine, (world) => sendMalformed(world, call))
    heapSamples.push(measureUsedMiB())
  }
  // Minimums, because V8 frees compiled code at will; the first tenth is warm-up.
  const getSamples = (from: number, to: number) =>
    heapSamples.slice(Math.floor(heapSamples.length * from), Math.ceil(heapSamples.length * to))
  const [heapBefore, heapAfter] = [Math.min(...getSamples(0.1, 0.4)), Math.min(...getSamples(0.7, 1))]
  printFindings(totals)
  const name = `${times} malformed requests of each of ${calls.length} calls, ${engine}`
  const statuses = Object.entries(totals.statuses).map(([status, count]) => `${count}×${status}`)
  const faults = totals.findings.filter(({ problem }) => /answers 5/.test(problem)).length
  report(
    `${name}: no fault of the server`,
    `${faults} of ${totals.requestCount} (${statuses.join(' ')})`,
    '0',
    faults === 0,
  )
  const otherFindings = totals.findings.length - faults
  report(
    `${name}: fields named, headers present, no secrets revealed`,
    `${otherFindings} problem`,
    '0',
    otherFindings === 0,
  )
  report(`${name}: no unhandled rejection`, `${unhandled.length}`, '0', unhandled.length === 0)
  const p99 = percentile(totals.milliseconds, 0.99)
  const maxMs = percentile(totals.milliseconds, 1)
  report(
    `${name}: response time`,
    `p99 ${p99.toFixed(1)} ms, longest ${maxMs.toFixed(0)} ms${slow.map((slowRequest) => `, ${slowRequest}`).join('')}`,
    'p99 below 1 s, of each call too',
    p99 < 1000 && slow.length === 0,
  )
  const growth = heapAfter / heapBefore - 1
  report(
    `${name}: memory`,
    `${heapBefore.toFixed(0)} to ${heapAfter.toFixed(0)} MiB, ${(growth * 100).toFixed(0)} %`,
    'less than 20 % more',
    growth < maxGrowth,
  )
  await runInWorld(engine, (world) => checkControl(world, engine))
}

async function checkControl(world: PermissionWorld, engine: Engine): Promise<void> {
  const call = listEndpoints().find((candidate) => getCallName(candidate) === 'agents.create')
  if (!call) throw new Error('agents.create no longer exists')
  const hasEmoji = (input: Parameters<Handler<EndpointEntry['endpoint']>>[0]) =>
    /\p{Extended_Pictographic}/u.test(JSON.stringify(input.body))
  const defects: Record<string, Handler<EndpointEntry['endpoint']>> = {
    'a handler that throws at an emoji': (input) => {
      if (hasEmoji(input)) throw new TypeError('planted')
      return null as never
    },
    'a refusal that names no field': () => {
      throw new Problem('bad-input')
    },
    'an unhandled promise': (input) => {
      if (hasEmoji(input)) void Promise.reject(new Error('planted'))
      throw new Problem('conflict')
    },
  }
  for (const [defect, handler] of Object.entries(defects)) {
    unhandled.length = 0
    const served = listServedCalls(world.app.services)
      .filter(({ endpoint }) => endpoint.path === call.endpoint.path && endpoint.method === call.endpoint.method)
      .map((candidate) =>
        candidate.name === call.name && candidate.area === call.area ? { ...candidate, handler } : candidate,
      )
    const router = createRouter(world.app.services, served)
    const { findings } = await sendMalformedRequests(world, call, {
      times: Math.max(400, Math.min(times, 2000)),
      seed,
      fetch: async (path, init) => router.fetch(new Request(`http://localhost${path}`, init)),
    })
    const noticed = findings.length + unhandled.length
    report(`control: ${defect}, ${engine}`, `noticed: ${noticed} times`, 'must be noticed', noticed > 0)
  }
  unhandled.length = 0
  await checkMemoryControl(world, call, engine)
}

async function checkMemoryControl(world: PermissionWorld, call: EndpointEntry, engine: Engine): Promise<void> {
  const requestCount = Math.max(400, Math.min(times, 2000))
  const heapBefore = measureUsedMiB()
  const bytesPerRequest = Math.ceil((heapBefore * 1024 * 1024 * 0.3) / requestCount)
  const leaked: Buffer[] = []
  await sendMalformedRequests(world, call, {
    times: requestCount,
    seed,
    fetch: (path, init) => {
      leaked.push(Buffer.alloc(bytesPerRequest, 1))
      return world.app.fetch(path, init)
    },
  })
  const growth = measureUsedMiB() / heapBefore - 1
  report(
    `control: a server that leaks memory over ${leaked.length} requests, ${engine}`,
    `noticed: ${(growth * 100).toFixed(0)} %`,
    'must be noticed',
    growth >= maxGrowth,
  )
}

function printFindings({ findings }: MalformedPass): void {
  const kinds = Map.groupBy(findings, ({ call, problem }) => `${call} ${problem}`)
  for (const [kind, findingsOfKind] of kinds) {
    console.log(`\n${kind}: ${findingsOfKind.length} times`)
    for (const finding of findingsOfKind.slice(0, maxShownPerKind)) console.log(formatFinding(finding))
  }
  for (const reason of unhandled.slice(0, 5)) console.log('unhandled:', reason)
}
