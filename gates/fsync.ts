import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { report } from '../bench/measure.ts'
import type { Defect } from './faults/planted-defect.ts'
import { startServer } from './faults/server-process.ts'
import { createLoadWorld, requireData, sendRequest } from './faults/writers.ts'

// The disk confirms every write before its response; concurrent writes can share a sync (server/db/sqlite-write-queue.ts).

const { values } = parseArgs({ options: { writes: { type: 'string', default: '200' } } })
const writes = Number(values.writes)
const dataDir = mkdtempSync(join(tmpdir(), 'keeper-fsync-'))

interface Traced {
  syncs: number
  answers: number
  /** Responses without a completed sync since their request. */
  unsynced: number
}

async function trace(name: string, defect?: Defect): Promise<{ alone: Traced; together: Traced }> {
  const log = join(dataDir, `${name}.strace`)
  const server = await startServer({
    dataDir: join(dataDir, name),
    // -D keeps the server as the child process, so it gets the signals.
    under: ['strace', '-D', '-f', '-q', '-s', '24', '-e', 'trace=fsync,fdatasync,read,write,writev,sendto', '-o', log],
    ...(defect && { defect }),
  })
  const world = await createLoadWorld(server.address, server.setupToken)
  const create = async () =>
    requireData(
      await sendRequest(server.address, world.token, 'POST', '/api/kip/agents', { name: 'Hand', purpose: 'p' }),
    )
  const mark = async () => {
    await later(300)
    return readFileSync(log, 'latin1').length
  }
  const traceStart = await mark()
  for (let write = 0; write < writes; write++) await create()
  const between = await mark()
  let left = writes
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (left-- > 0) await create()
    }),
  )
  await mark()
  const text = readFileSync(log, 'latin1')
  await server.end('SIGKILL')
  return { alone: read(text.slice(traceStart, between)), together: read(text.slice(between)) }
}

function read(text: string): Traced {
  const traced: Traced = { syncs: 0, answers: 0, unsynced: 0 }
  const arrived = new Map<string, number>()
  const reading = new Map<string, string>()
  const syncing = new Map<string, number>()
  let lastSynced = -1
  for (const [at, line] of text.split('\n').entries()) {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (/^f(?:data)?sync\(/.test(call)) {
      if (call.includes('<unfinished')) syncing.set(thread, at)
      else if (call.endsWith('= 0')) synced(at)
    } else if (/^<\.\.\. f(?:data)?sync resumed/.test(call) && call.endsWith('= 0')) synced(syncing.get(thread) ?? at)
    const [, from] = /^read\((\d+), "POST \//.exec(call) ?? []
    if (from) arrived.set(from, at)
    // strace can interleave another thread's call between a read and its data.
    const [, waits] = /^read\((\d+), +<unfinished/.exec(call) ?? []
    if (waits) reading.set(thread, waits)
    const late = /^<\.\.\. read resumed>"POST \//.test(call) ? reading.get(thread) : undefined
    if (late) arrived.set(late, at)
    const [, to] = /^(?:write|writev|sendto)\((\d+), .{0,20}"HTTP\/1\.1 200/.exec(call) ?? []
    const since = to === undefined ? undefined : arrived.get(to)
    if (to && since !== undefined) {
      traced.answers++
      if (lastSynced < since) traced.unsynced++
      arrived.delete(to)
    }
  }
  return traced

  function synced(startLine: number): void {
    traced.syncs++
    lastSynced = Math.max(lastSynced, startLine)
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
  const { alone, together } = await trace('full')
  report(
    'a sync before every acknowledgment, sequential writes',
    `${alone.syncs} syncs for ${alone.answers} answers, ${alone.unsynced} responses without one of their own`,
    `at least 1 each, 0 of ${writes} without`,
    alone.answers >= writes && alone.syncs >= alone.answers && alone.unsynced === 0,
  )
  report(
    'a sync before every acknowledgment, 16 writers sharing commits',
    `${together.syncs} syncs for ${together.answers} answers, ${together.unsynced} responses without a sync since their request`,
    `0 of ${writes} without`,
    together.answers >= writes * 0.9 && together.unsynced === 0,
  )
  const control = await trace('normal', {
    file: 'server/db/sqlite-files.ts',
    from: 'pragma synchronous = full',
    to: 'pragma synchronous = normal',
  })
  report(
    'control: synchronous = NORMAL',
    `${control.alone.syncs} syncs for ${control.alone.answers} answers, ${control.alone.unsynced} without`,
    'must be noticed',
    control.alone.unsynced > writes / 2,
  )
}
rmSync(dataDir, { recursive: true })
