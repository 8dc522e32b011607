import { report } from '../bench/measure.ts'
import { type EndpointEntry, listEndpoints } from '../contract/index.ts'
import { startEnginesWithoutRunner } from '../tests/engines.ts'
import { getCallName, getPermissionLine, sendCell } from '../tests/permission-matrix-cells.ts'
import { createPermissionWorld } from '../tests/permission-matrix-world.ts'
import { createTestApp, toRequest } from '../tests/test-app.ts'
import { type LargeState, largeStates } from '../tests/write-amplification/large-states.ts'
import {
  allowancePerCase,
  allowancePerRequest,
  computeWriteRatio,
  maxBytesPerByte,
  measureDiskUsage,
  measureWrites,
  type Writes,
} from '../tests/write-amplification/measure-writes.ts'
import { plantCompleteSnapshots } from '../tests/write-amplification/planted-versions.ts'

// Bytes that stay on disk per byte sent, for small requests about the largest entities and for every writing call.
// `--requests=` of each, `--frames=` of the board, `--only=pinning` for some states, `--only=boards.` for some calls.
const cliOptions = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, '').split('=')))
const minRequests = Number(cliOptions.requests ?? 25)
const size = { boardFrames: Number(cliOptions.frames ?? 150) }
const nameFilter = cliOptions.only ?? ''
const requirement = `at most ${maxBytesPerByte} bytes per byte sent, beyond ${allowancePerRequest} per request`

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

const stopEngines = await startEnginesWithoutRunner()
try {
  for (const state of largeStates.filter(({ name }) => name.includes(nameFilter))) await reportState(state)
  await reportCalls()
  await reportControl()
} finally {
  await stopEngines()
}

async function measureState(state: LargeState, isPlanted = false): Promise<Writes> {
  const app = await createTestApp('sqlite')
  try {
    const ada = await app.as('ada')
    const request = await state.setUp(ada, size)
    const requestCount = Math.max(minRequests, state.minRequests ?? 0)
    return await measureWrites(
      app,
      ada,
      { requests: requestCount, request },
      isPlanted ? () => plantCompleteSnapshots(app) : undefined,
    )
  } finally {
    await app.close()
  }
}

async function reportState(state: LargeState): Promise<void> {
  const writes = await measureState(state)
  report(state.name, formatWrites(writes), requirement, computeWriteRatio(writes) <= maxBytesPerByte)
}

async function reportCalls(): Promise<void> {
  const calls = listEndpoints().filter(
    (call) => call.endpoint.method !== 'GET' && getCallName(call).startsWith(nameFilter),
  )
  const exceeding: string[] = []
  let measured = 0
  for (const call of calls) {
    const writes = await measureCall(call)
    if (!writes) continue
    measured += 1
    if (computeWriteRatio(writes) > maxBytesPerByte && !copies[getCallName(call)])
      exceeding.push(`${getCallName(call)}: ${formatWrites(writes)}`)
  }
  const summary = `${measured} of ${calls.length} calls, ${exceeding.length} beyond${exceeding.map((line) => `\n${line}`).join('')}`
  report(
    'every call that writes, with its sample',
    summary,
    requirement,
    exceeding.length === 0 && (nameFilter !== '' || measured > 100),
  )
}

/** Each sample has its own entities; `undefined` if Ada can't make the call. */
async function measureCall(call: EndpointEntry): Promise<Writes | undefined> {
  const permissionLine = getPermissionLine(call)
  if (permissionLine.owner !== 200) return undefined
  const world = await createPermissionWorld('sqlite')
  const writes = { requests: 0, sentBytes: 0, grownBytes: 0 }
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      const sample = await permissionLine.sample(world)
      const token = await world.createToken('owner')
      const { path, init } = toRequest(call.endpoint, sample)
      const bytesBefore = await measureDiskUsage(world.app)
      await sendCell((address, options) => world.app.fetch(address, options), call, sample, token)
      writes.requests += 1
      writes.sentBytes +=
        path.length + (sample.bytes?.data.byteLength ?? (typeof init.body === 'string' ? init.body.length : 0))
      writes.grownBytes += (await measureDiskUsage(world.app)) - bytesBefore
    }
    return writes
  } finally {
    await world.app.close()
  }
}

async function reportControl(): Promise<void> {
  const [renaming] = largeStates
  if (!renaming) throw new Error('No state is left to plant a defect in.')
  const writes = await measureState(renaming, true)
  report(
    'control: versions stored as full copies',
    formatWrites(writes),
    'noticed',
    computeWriteRatio(writes) > maxBytesPerByte,
  )
}

function formatWrites(writes: Writes): string {
  const counts = [writes.requests, writes.sentBytes, writes.grownBytes].map((count) => count.toLocaleString('en-US'))
  const [requestCount, sentBytes, grownBytes] = counts
  return `${computeWriteRatio(writes).toFixed(1)}: ${requestCount} requests of ${sentBytes} bytes, ${grownBytes} on disk (${allowancePerCase} for all together)`
}
