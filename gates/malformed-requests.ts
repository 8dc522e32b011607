import { type AddressBookEntry, addressBook } from '#contract/index.ts'
import { servedCalls } from '#server/app.ts'
import type { Engine } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { createRouter } from '#server/http/router.ts'
import type { Handler } from '#server/http/serve-area.ts'
import { engines, withoutRunner } from '#tests/engines.ts'
import { heldMiB } from '#tests/held-memory.ts'
import { askMalformed, inWords, nameOf, type Pass } from '#tests/malformed/ask-malformed.ts'
import { makeWorld, type World } from '#tests/permission-matrix-world.ts'
import { percentile, report } from '../bench/measure.ts'

// `--times=` malformed requests per call, `--seed=` to reproduce, `--only=agents.` for some calls, `--trace=yes` for a line per call.
const given = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, '').split('=')))
const times = Number(given.times ?? 2000)
const seed = Number(given.seed ?? 20_261_121)
const book = addressBook().filter((call) => nameOf(call).startsWith(given.only ?? ''))
const shownOfEachKind = 3
const mostGrowth = 0.2
const refusing = { fetch: async () => Response.json({ error: { message: 'No.' } }, { status: 401 }) }

const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))
process.on('uncaughtException', (error) => unhandled.push(error))

// An unhandled rejection of this script itself must end it.
await main().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})

async function main(): Promise<void> {
  const remove = await withoutRunner()
  for (const engine of engines) await measure(engine)
  await remove()
}

async function inWorld(engine: Engine, work: (world: World) => Promise<void>): Promise<void> {
  const world = await makeWorld(engine, refusing)
  try {
    await work(world)
  } finally {
    await world.app.close()
    // A closed server is garbage that no real server creates; only what requests leave behind is measured.
    heldMiB()
  }
}

async function measure(engine: Engine): Promise<void> {
  // Excludes what is loaded and compiled at first use.
  await inWorld(engine, async (world) => {
    const warmUp = Math.min(times, 40)
    for (const call of book) await askMalformed(world, call, { times: warmUp, seed: seed - 1_000_000 })
  })
  unhandled.length = 0
  // Heap rather than resident memory, because the allocator varies by a quarter.
  const held: number[] = []
  const all: Pass = { asked: 0, statuses: {}, milliseconds: [], findings: [] }
  const slow: string[] = []
  const ask = async (world: World, call: AddressBookEntry) => {
    const began = performance.now()
    const pass = await askMalformed(world, call, { times, seed })
    const took = (performance.now() - began).toFixed(0)
    if (given.trace) console.log(nameOf(call), `${took} ms, ${heldMiB().toFixed(0)} MiB`, JSON.stringify(pass.statuses))
    all.asked += pass.asked
    for (const milliseconds of pass.milliseconds) all.milliseconds.push(milliseconds)
    for (const finding of pass.findings) all.findings.push(finding)
    for (const [status, count] of Object.entries(pass.statuses))
      all.statuses[Number(status)] = (all.statuses[Number(status)] ?? 0) + count
    const p99 = percentile(pass.milliseconds, 0.99)
    if (p99 >= 1000) slow.push(`${nameOf(call)} ${p99.toFixed(0)} ms`)
  }
  // A new world per call; in a shared one, its person would reach the limits of keepers and themes.
  for (const call of book) {
    await inWorld(engine, (world) => ask(world, call))
    held.push(heldMiB())
  }
  // Minimums, because V8 frees compiled code at will; the first tenth is warm-up.
  const part = (from: number, to: number) => held.slice(Math.floor(held.length * from), Math.ceil(held.length * to))
  const [before, after] = [Math.min(...part(0.1, 0.4)), Math.min(...part(0.7, 1))]
  tell(all)
  const name = `${times} malformed requests of each of ${book.length} calls, ${engine}`
  const statuses = Object.entries(all.statuses).map(([status, count]) => `${count}×${status}`)
  const faults = all.findings.filter(({ wrong }) => /answers 5/.test(wrong)).length
  report(`${name}: no fault of the server`, `${faults} of ${all.asked} (${statuses.join(' ')})`, '0', faults === 0)
  const others = all.findings.length - faults
  report(`${name}: fields named, headers present, no secrets revealed`, `${others} wrong`, '0', others === 0)
  report(`${name}: no unhandled rejection`, `${unhandled.length}`, '0', unhandled.length === 0)
  const p99 = percentile(all.milliseconds, 0.99)
  const longest = percentile(all.milliseconds, 1)
  report(
    `${name}: response time`,
    `p99 ${p99.toFixed(1)} ms, longest ${longest.toFixed(0)} ms${slow.map((one) => `, ${one}`).join('')}`,
    'p99 below 1 s, of each call too',
    p99 < 1000 && slow.length === 0,
  )
  const growth = after / before - 1
  report(
    `${name}: memory`,
    `${before.toFixed(0)} to ${after.toFixed(0)} MiB, ${(growth * 100).toFixed(0)} %`,
    'less than 20 % more',
    growth < mostGrowth,
  )
  await inWorld(engine, (world) => control(world, engine))
}

async function control(world: World, engine: Engine): Promise<void> {
  const call = addressBook().find((candidate) => nameOf(candidate) === 'agents.create')
  if (!call) throw new Error('agents.create no longer exists')
  const odd = (input: Parameters<Handler<AddressBookEntry['endpoint']>>[0]) =>
    /\p{Extended_Pictographic}/u.test(JSON.stringify(input.body))
  const defects: Record<string, Handler<AddressBookEntry['endpoint']>> = {
    'a handler that throws at an emoji': (input) => {
      if (odd(input)) throw new TypeError('planted')
      return null as never
    },
    'a refusal that names no field': () => {
      throw new Problem('bad-input')
    },
    'an unhandled promise': (input) => {
      if (odd(input)) void Promise.reject(new Error('planted'))
      throw new Problem('conflict')
    },
  }
  for (const [defect, handler] of Object.entries(defects)) {
    unhandled.length = 0
    const served = servedCalls(world.app.services)
      .filter(({ endpoint }) => endpoint.path === call.endpoint.path && endpoint.method === call.endpoint.method)
      .map((one) => (one.name === call.name && one.area === call.area ? { ...one, handler } : one))
    const router = createRouter(world.app.services, served)
    const { findings } = await askMalformed(world, call, {
      times: Math.max(400, Math.min(times, 2000)),
      seed,
      fetch: async (path, init) => router.fetch(new Request(`http://localhost${path}`, init)),
    })
    const noticed = findings.length + unhandled.length
    report(`control: ${defect}, ${engine}`, `noticed: ${noticed} times`, 'must be noticed', noticed > 0)
  }
  unhandled.length = 0
  await controlOfMemory(world, call, engine)
}

async function controlOfMemory(world: World, call: AddressBookEntry, engine: Engine): Promise<void> {
  const asked = Math.max(400, Math.min(times, 2000))
  const before = heldMiB()
  const bytesOfEach = Math.ceil((before * 1024 * 1024 * 0.3) / asked)
  const kept: Buffer[] = []
  await askMalformed(world, call, {
    times: asked,
    seed,
    fetch: (path, init) => {
      kept.push(Buffer.alloc(bytesOfEach, 1))
      return world.app.fetch(path, init)
    },
  })
  const growth = heldMiB() / before - 1
  report(
    `control: a server that leaks memory over ${kept.length} requests, ${engine}`,
    `noticed: ${(growth * 100).toFixed(0)} %`,
    'must be noticed',
    growth >= mostGrowth,
  )
}

function tell({ findings }: Pass): void {
  const kinds = Map.groupBy(findings, ({ call, wrong }) => `${call} ${wrong}`)
  for (const [kind, found] of kinds) {
    console.log(`\n${kind}: ${found.length} times`)
    for (const finding of found.slice(0, shownOfEachKind)) console.log(inWords(finding))
  }
  for (const reason of unhandled.slice(0, 5)) console.log('unhandled:', reason)
}
