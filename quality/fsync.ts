import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { report } from '../bench/measure.ts'
import type { Defect } from './faults/planted-defect.ts'
import { startServer } from './faults/server-process.ts'
import { createLoadWorld, requireData, sendRequest } from './faults/writers.ts'

// The disk confirms every write before its response; concurrent writes can share a sync (server/db/sqlite-write-queue.ts).

const { values } = parseArgs({ options: { writes: { type: 'string', default: '200' } } })
const writeCount = Number(values.writes)
const dataDir = mkdtempSync(join(tmpdir(), 'keeper-fsync-'))

interface TraceCounts {
  syncs: number
  responses: number
  /** Responses without a completed sync since their request. */
  unsynced: number
}

async function traceSyncs(
  name: string,
  defect?: Defect,
): Promise<{ sequential: TraceCounts; concurrent: TraceCounts }> {
  const log = join(dataDir, `${name}.strace`)
  const server = await startServer({
    dataDir: join(dataDir, name),
    // -D keeps the server as the child process, so it gets the signals.
    wrapperCommand: [
      'strace',
      '-D',
      '-f',
      '-q',
      '-s',
      '24',
      '-e',
      'trace=fsync,fdatasync,read,write,writev,sendto',
      '-o',
      log,
    ],
    ...(defect && { defect }),
  })
  const world = await createLoadWorld(server.address, server.setupToken)
  const create = async () =>
    requireData(
      await sendRequest(server.address, world.token, 'POST', '/api/kip/agents', { name: 'Hand', purpose: 'p' }),
    )
  const getLogLength = async () => {
    await delay(300)
    return readFileSync(log, 'latin1').length
  }
  const traceStart = await getLogLength()
  for (let write = 0; write < writeCount; write++) await create()
  const sequentialEnd = await getLogLength()
  let remaining = writeCount
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (remaining-- > 0) await create()
    }),
  )
  await getLogLength()
  const text = readFileSync(log, 'latin1')
  await server.end('SIGKILL')
  return {
    sequential: parseTrace(text.slice(traceStart, sequentialEnd)),
    concurrent: parseTrace(text.slice(sequentialEnd)),
  }
}

function parseTrace(text: string): TraceCounts {
  const counts: TraceCounts = { syncs: 0, responses: 0, unsynced: 0 }
  const arrivalLines = new Map<string, number>()
  const pendingReads = new Map<string, string>()
  const pendingSyncs = new Map<string, number>()
  let lastSyncLine = -1
  for (const [lineNumber, line] of text.split('\n').entries()) {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (/^f(?:data)?sync\(/.test(call)) {
      if (call.includes('<unfinished')) pendingSyncs.set(thread, lineNumber)
      else if (call.endsWith('= 0')) recordSync(lineNumber)
    } else if (/^<\.\.\. f(?:data)?sync resumed/.test(call) && call.endsWith('= 0'))
      recordSync(pendingSyncs.get(thread) ?? lineNumber)
    const [, readDescriptor] = /^read\((\d+), "POST \//.exec(call) ?? []
    if (readDescriptor) arrivalLines.set(readDescriptor, lineNumber)
    // strace can interleave another thread's call between a read and its data.
    const [, pendingDescriptor] = /^read\((\d+), +<unfinished/.exec(call) ?? []
    if (pendingDescriptor) pendingReads.set(thread, pendingDescriptor)
    const resumedDescriptor = /^<\.\.\. read resumed>"POST \//.test(call) ? pendingReads.get(thread) : undefined
    if (resumedDescriptor) arrivalLines.set(resumedDescriptor, lineNumber)
    const [, writtenDescriptor] = /^(?:write|writev|sendto)\((\d+), .{0,20}"HTTP\/1\.1 200/.exec(call) ?? []
    const arrivalLine = writtenDescriptor === undefined ? undefined : arrivalLines.get(writtenDescriptor)
    if (writtenDescriptor && arrivalLine !== undefined) {
      counts.responses++
      if (lastSyncLine < arrivalLine) counts.unsynced++
      arrivalLines.delete(writtenDescriptor)
    }
  }
  return counts

  function recordSync(startLine: number): void {
    counts.syncs++
    lastSyncLine = Math.max(lastSyncLine, startLine)
  }
}

const straceVersion = spawnSync('strace', ['-V'])
if (straceVersion.error) {
  report(
    'a sync before every acknowledgment',
    'not measured: strace is missing (Debian: apt-get install strace; Linux only)',
    'counted',
    false,
  )
} else {
  const { sequential, concurrent } = await traceSyncs('full')
  report(
    'a sync before every acknowledgment, sequential writes',
    `${sequential.syncs} syncs for ${sequential.responses} responses, ${sequential.unsynced} responses without a sync since their request`,
    `at least 1 each, 0 of ${writeCount} without`,
    sequential.responses >= writeCount && sequential.syncs >= sequential.responses && sequential.unsynced === 0,
  )
  report(
    'a sync before every acknowledgment, 16 writers sharing commits',
    `${concurrent.syncs} syncs for ${concurrent.responses} responses, ${concurrent.unsynced} responses without a sync since their request`,
    `0 of ${writeCount} without`,
    concurrent.responses >= writeCount * 0.9 && concurrent.unsynced === 0,
  )
  const control = await traceSyncs('normal', {
    file: 'server/db/sqlite-files.ts',
    from: 'pragma synchronous = full',
    to: 'pragma synchronous = normal',
  })
  report(
    'control: synchronous = NORMAL',
    `${control.sequential.syncs} syncs for ${control.sequential.responses} responses, ${control.sequential.unsynced} without`,
    'must be noticed',
    control.sequential.unsynced > writeCount / 2,
  )
}
rmSync(dataDir, { recursive: true })
