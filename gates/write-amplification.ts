import { type AddressBookEntry, addressBook } from '#contract/index.ts'
import { withoutRunner } from '#tests/engines.ts'
import { answerOf, lineFor, nameOf } from '#tests/permission-matrix-cells.ts'
import { makeWorld } from '#tests/permission-matrix-world.ts'
import { requestOf, testApp } from '#tests/test-app.ts'
import { type LargeState, largeStates } from '#tests/write-amplification/large-states.ts'
import {
  allowancePerCase,
  allowancePerRequest,
  bytesOnDisk,
  maxBytesPerByte,
  measureWrites,
  ratioOf,
  type Writes,
} from '#tests/write-amplification/measure-writes.ts'
import { plantWholeVersions } from '#tests/write-amplification/planted-versions.ts'
import { report } from '../bench/measure.ts'

// Bytes that stay on disk per byte sent, for small requests about the largest entities and for every writing call.
// `--requests=` of each, `--frames=` of the board, `--only=pinning` for some states, `--only=boards.` for some calls.
const given = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, '').split('=')))
const requests = Number(given.requests ?? 25)
const size = { boardFrames: Number(given.frames ?? 150) }
const only = given.only ?? ''
const bar = `at most ${maxBytesPerByte} bytes per byte sent, beyond ${allowancePerRequest} per request`

/** Requested copies of existing content, which count toward the person's quota (server/quota). */
const copies: Record<string, string> = {
  'boardFiles.duplicate': 'a board and its frames',
  'boards.create': 'the frames of a template',
  'boards.ofEntity': 'the first frames of an entity',
  'boards.saveTemplate': 'a board as a template',
  'sampleKeeper.make': 'a story of many entries',
  'reflections.promote': 'the text and vector of a card',
  'moments.reflect': 'the moment as a quotation',
}

const remove = await withoutRunner()
try {
  for (const state of largeStates.filter(({ name }) => name.includes(only))) await reportState(state)
  await reportCalls()
  await reportControl()
} finally {
  await remove()
}

async function writesOf(state: LargeState, isPlanted = false): Promise<Writes> {
  const app = await testApp('sqlite')
  try {
    const ada = await app.as('ada')
    const request = await state.setUp(ada, size)
    const times = Math.max(requests, state.minRequests ?? 0)
    return await measureWrites(
      app,
      ada,
      { requests: times, request },
      isPlanted ? () => plantWholeVersions(app) : undefined,
    )
  } finally {
    await app.close()
  }
}

async function reportState(state: LargeState): Promise<void> {
  const writes = await writesOf(state)
  report(state.name, inWords(writes), bar, ratioOf(writes) <= maxBytesPerByte)
}

async function reportCalls(): Promise<void> {
  const calls = addressBook().filter((call) => call.endpoint.method !== 'GET' && nameOf(call).startsWith(only))
  const beyond: string[] = []
  let measured = 0
  for (const call of calls) {
    const writes = await writesOfCall(call)
    if (!writes) continue
    measured += 1
    if (ratioOf(writes) > maxBytesPerByte && !copies[nameOf(call)]) beyond.push(`${nameOf(call)}: ${inWords(writes)}`)
  }
  const said = `${measured} of ${calls.length} calls, ${beyond.length} beyond${beyond.map((line) => `\n${line}`).join('')}`
  report('every call that writes, with its sample', said, bar, beyond.length === 0 && (only !== '' || measured > 100))
}

/** Each sample has its own entities; `undefined` if Ada can't make the call. */
async function writesOfCall(call: AddressBookEntry): Promise<Writes | undefined> {
  const line = lineFor(call)
  if (line.owner !== 200) return undefined
  const world = await makeWorld('sqlite')
  const writes = { requests: 0, sent: 0, grown: 0 }
  try {
    for (let n = 0; n < 3; n++) {
      const sample = await line.sample(world)
      const token = await world.tokenOf('owner')
      const { path, init } = requestOf(call.endpoint, sample)
      const before = await bytesOnDisk(world.app)
      await answerOf((at, options) => world.app.fetch(at, options), call, sample, token)
      writes.requests += 1
      writes.sent +=
        path.length + (sample.bytes?.data.byteLength ?? (typeof init.body === 'string' ? init.body.length : 0))
      writes.grown += (await bytesOnDisk(world.app)) - before
    }
    return writes
  } finally {
    await world.app.close()
  }
}

async function reportControl(): Promise<void> {
  const [renaming] = largeStates
  if (!renaming) throw new Error('No state is left to plant a defect in.')
  const writes = await writesOf(renaming, true)
  report('control: versions stored as full copies', inWords(writes), 'noticed', ratioOf(writes) > maxBytesPerByte)
}

function inWords(writes: Writes): string {
  const { sent, grown } = writes
  const figures = [writes.requests, sent, grown].map((figure) => figure.toLocaleString('en-US'))
  const [asked, bytes, stayed] = figures
  return `${ratioOf(writes).toFixed(1)}: ${asked} requests of ${bytes} bytes, ${stayed} on disk (${allowancePerCase} for all together)`
}
