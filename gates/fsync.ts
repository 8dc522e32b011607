import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { report } from '../bench/measure.ts'
import type { Defect } from './faults/planted-defect.ts'
import { startServer } from './faults/server-process.ts'
import { ask, makeWorld, must } from './faults/writers.ts'

// Promise (trust.md D2): between a write's arrival and its answer the disk was told to keep it, and had answered. Writes that
// wait together share one commit (server/db/sqlite-write-queue.ts), and so one sync: the group's answers come after it.

const { values } = parseArgs({ options: { writes: { type: 'string', default: '200' } } })
const writes = Number(values.writes)
const folder = mkdtempSync(join(tmpdir(), 'keeper-fsync-'))

interface Traced {
  syncs: number
  answers: number
  /** Answers to a write without a sync that began after the request came and ended before the answer left. */
  unsynced: number
}

/** Makes agents, one after the other and sixteen at once, and reads what the process asked of the kernel meanwhile. */
async function trace(name: string, defect?: Defect): Promise<{ alone: Traced; together: Traced }> {
  const log = join(folder, `${name}.strace`)
  const server = await startServer({
    dataDir: join(folder, name),
    // -D: what was started stays the server, which gets the signals.
    under: ['strace', '-D', '-f', '-q', '-s', '24', '-e', 'trace=fsync,fdatasync,read,write,writev,sendto', '-o', log],
    ...(defect && { defect }),
  })
  const world = await makeWorld(server.address, server.setupToken)
  const create = async () =>
    must(await ask(server.address, world.token, 'POST', '/api/kip/agents', { name: 'Hand', purpose: 'p' }))
  const mark = async () => {
    await later(300)
    return readFileSync(log, 'latin1').length
  }
  const began = await mark()
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
  return { alone: read(text.slice(began, between)), together: read(text.slice(between)) }
}

function read(text: string): Traced {
  const traced: Traced = { syncs: 0, answers: 0, unsynced: 0 }
  const arrived = new Map<string, number>()
  /** Which descriptor each thread is reading from. */
  const reading = new Map<string, string>()
  const syncing = new Map<string, number>()
  /** Of the sync that began last, of those that ended. */
  let lastSynced = -1
  for (const [at, line] of text.split('\n').entries()) {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (/^f(?:data)?sync\(/.test(call)) {
      if (call.includes('<unfinished')) syncing.set(thread, at)
      else if (call.endsWith('= 0')) synced(at)
    } else if (/^<\.\.\. f(?:data)?sync resumed/.test(call) && call.endsWith('= 0')) synced(syncing.get(thread) ?? at)
    const [, from] = /^read\((\d+), "POST \//.exec(call) ?? []
    if (from) arrived.set(from, at)
    // Another thread's call may stand between a read and what it read.
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

  function synced(begunAt: number): void {
    traced.syncs++
    lastSynced = Math.max(lastSynced, begunAt)
  }
}

const found = spawnSync('strace', ['-V'])
if (found.error) {
  report(
    'a sync before every acknowledgement',
    'not measured: strace is not here (Debian: apt-get install strace; Linux only)',
    'counted',
    false,
  )
} else {
  const { alone, together } = await trace('full')
  report(
    'a sync before every acknowledgement, one write after the other',
    `${alone.syncs} syncs for ${alone.answers} answers, ${alone.unsynced} answers without one of their own before them`,
    `at least 1 each, 0 of ${writes} without`,
    alone.answers >= writes && alone.syncs >= alone.answers && alone.unsynced === 0,
  )
  report(
    'a sync before every acknowledgement, sixteen writers that share commits',
    `${together.syncs} syncs for ${together.answers} answers, ${together.unsynced} answers without a sync since their request`,
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
rmSync(folder, { recursive: true })
