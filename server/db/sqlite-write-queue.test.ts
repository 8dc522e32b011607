import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SqliteFailure } from './sqlite-failures.ts'
import { foreignLockTimeoutMs, openWriterConnection } from './sqlite-files.ts'
import {
  type JobReply,
  type QueuedJob,
  SqliteWriteQueue,
  type WriteAnswer,
  type WriteJob,
} from './sqlite-write-queue.ts'

let folder: string
let connection: DatabaseSync
let witness: DatabaseSync
let replies: JobReply<WriteAnswer>[]
let postCount: number
let maintenanceFailures: SqliteFailure[]
let lastId: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keeper-queue-'))
  const file = join(folder, 'data.db')
  connection = openWriterConnection(file)
  connection.exec(
    'create table notes (id text primary key, owner text references notes (id) deferrable initially deferred)',
  )
  witness = new DatabaseSync(file)
  replies = []
  postCount = 0
  maintenanceFailures = []
  lastId = 0
})
afterEach(() => {
  witness.close()
  if (connection.isOpen) connection.close()
  rmSync(folder, { recursive: true })
})

function createQueue(writer: DatabaseSync = connection, arriving: QueuedJob<WriteJob>[][] = []): SqliteWriteQueue {
  return new SqliteWriteQueue(writer, {
    takeIncomingJobs: () => arriving.shift() ?? [],
    post(newReplies) {
      postCount++
      replies.push(...newReplies)
    },
    onMaintenanceFailed: (failure) => void maintenanceFailures.push(failure),
    onClosed() {},
  })
}

function interceptExec(commands: Record<string, () => void>): DatabaseSync {
  return new Proxy(connection, {
    get(target, property) {
      if (property === 'exec') return (sql: string) => (commands[sql] ?? (() => target.exec(sql)))()
      const value = Reflect.get(target, property, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const toQueuedJob = (job: WriteJob): QueuedJob<WriteJob> => ({ id: ++lastId, job })
const createInsert = (id: string, owner: string | null = null) => ({
  sql: 'insert into notes (id, owner) values (?, ?)',
  parameters: [id, owner],
})
const insert = (id: string, owner?: string) => toQueuedJob({ kind: 'one', statement: createInsert(id, owner) })
const batch = (...ids: string[]) => toQueuedJob({ kind: 'batch', statements: ids.map((id) => createInsert(id)) })
const listStoredIds = () =>
  witness
    .prepare('select id from notes order by id')
    .all()
    .map(({ id }) => id)
const formatOutcomes = () =>
  replies.map((reply) =>
    'failure' in reply ? `${reply.id}: ${reply.failure.errcode ?? reply.failure.message}` : `${reply.id}: done`,
  )

test('all waiting jobs share one commit, and arriving ones join it', () => {
  let commitCount = 0
  const countingConnection = interceptExec({
    commit() {
      commitCount++
      connection.exec('commit')
    },
  })
  createQueue(countingConnection, [[insert('c')], [batch('d', 'e')]]).accept([insert('a'), insert('b')])
  expect(listStoredIds()).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect({ commitCount, postCount, done: formatOutcomes().length }).toEqual({ commitCount: 1, postCount: 1, done: 4 })
})

test('replies are sent after the commit', () => {
  const replyCountsAtCommit: number[] = []
  const watched = interceptExec({
    commit() {
      replyCountsAtCommit.push(replies.length)
      connection.exec('commit')
    },
  })
  createQueue(watched).accept([insert('a'), batch('b', 'c')])
  expect(replyCountsAtCommit).toEqual([0])
  expect(formatOutcomes()).toEqual(['1: done', '2: done'])
})

test('a failed commit fails every write of its group, and the next group works', () => {
  let isFull = true
  const failing = interceptExec({
    commit() {
      if (isFull) throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
      connection.exec('commit')
    },
  })
  const queue = createQueue(failing)
  queue.accept([insert('a'), batch('b', 'c'), insert('d')])
  expect(formatOutcomes()).toEqual(['1: 13', '2: 13', '3: 13'])
  expect(listStoredIds()).toEqual([])
  isFull = false
  queue.accept([insert('e')])
  expect(listStoredIds()).toEqual(['e'])
})

test('a deferred constraint fails only its own write', () => {
  createQueue().accept([insert('a'), insert('guilty', 'nobody'), batch('b', 'c')])
  expect(formatOutcomes()).toEqual(['1: done', '2: 787', '3: done'])
  expect(listStoredIds()).toEqual(['a', 'b', 'c'])
})

test('a batch that fails halfway is rolled back, and its neighbors run once', () => {
  let commitCount = 0
  const countingConnection = interceptExec({
    commit() {
      commitCount++
      connection.exec('commit')
    },
  })
  const waiting = [insert('a'), batch('b', 'a', 'c')]
  createQueue(countingConnection, [[insert('d')], [batch('e', 'f')]]).accept(waiting)
  expect(listStoredIds()).toEqual(['a', 'd', 'e', 'f'])
  expect(formatOutcomes()).toEqual(['1: done', '2: 1555', '3: done', '4: done'])
  expect({ commitCount, postCount }).toEqual({ commitCount: 1, postCount: 1 })
})

test('a batch whose first statement changes too many rows is rolled back', () => {
  const removal = { sql: 'delete from notes', parameters: [], requireChanges: 1 }
  createQueue().accept([
    batch('a', 'b'),
    toQueuedJob({ kind: 'batch', statements: [removal, createInsert('c')] }),
    insert('d'),
  ])
  expect(listStoredIds()).toEqual(['a', 'b', 'd'])
  expect(replies[1]).toMatchObject({ failure: { unexpected: { index: 0, required: 1, changes: 2 } } })
})

test("a batch that fails before any change doesn't make the others run again", () => {
  let startCount = 0
  const countingConnection = interceptExec({
    'begin immediate': () => {
      startCount++
      connection.exec('begin immediate')
    },
  })
  const changingNothing = { sql: 'delete from notes where id = ?', parameters: ['nobody'], requireChanges: 1 }
  createQueue(countingConnection).accept([
    insert('a'),
    toQueuedJob({ kind: 'batch', statements: [changingNothing, createInsert('b')] }),
    batch('a', 'c'),
    insert('d'),
  ])
  expect(listStoredIds()).toEqual(['a', 'd'])
  expect(startCount).toBe(1)
})

test('a lock during the retry of a group fails the whole group', () => {
  let startCount = 0
  const locked = interceptExec({
    'begin immediate': () => {
      if (++startCount === 2) throw Object.assign(new Error('database is locked'), { errcode: 5 })
      connection.exec('begin immediate')
    },
  })
  const queue = createQueue(locked)
  queue.accept([insert('a'), batch('b', 'a')])
  queue.accept([batch('c', 'd')])
  expect(formatOutcomes()).toEqual(['1: 5', '2: 5', '3: done'])
  expect(listStoredIds()).toEqual(['c', 'd'])
})

test('a full disk fails every write of the group, and the writer keeps working', () => {
  connection.exec('create table pages (text text)')
  connection.exec(`pragma max_page_count = ${Number(connection.prepare('pragma page_count').get()!.page_count) + 4}`)
  const insertPage = (letter: string) =>
    toQueuedJob({
      kind: 'one',
      statement: { sql: 'insert into pages values (?)', parameters: [letter.repeat(100_000)] },
    })
  const queue = createQueue()
  queue.accept([insert('a'), insertPage('x'), insert('b')])
  queue.accept([insert('c')])
  expect(formatOutcomes().filter((outcome) => outcome.endsWith(': 13')).length).toBeGreaterThan(0)
  const storedIdsByJob: Record<number, string> = { 1: 'a', 3: 'b', 4: 'c' }
  const acknowledged = replies.flatMap((reply) => ('failure' in reply ? [] : [storedIdsByJob[reply.id]]))
  expect(listStoredIds()).toEqual(acknowledged)
  expect(listStoredIds()).toContain('c')
})

test('a statement that rolls back the transaction fails the earlier ones', () => {
  createQueue().accept([
    insert('a'),
    toQueuedJob({
      kind: 'one',
      statement: { sql: 'insert or rollback into notes (id) values (?)', parameters: ['a'] },
    }),
    insert('b'),
  ])
  expect(formatOutcomes()).toEqual(['1: 1555', '2: 1555', '3: done'])
  expect(listStoredIds()).toEqual(['b'])
})

test('a batch that rolls back the transaction is not repeated', () => {
  let startCount = 0
  const countingConnection = interceptExec({
    'begin immediate': () => {
      startCount++
      connection.exec('begin immediate')
    },
  })
  const rollingBack = { sql: 'insert or rollback into notes (id) values (?)', parameters: ['a'] }
  const queue = createQueue(countingConnection)
  queue.accept([insert('a'), toQueuedJob({ kind: 'batch', statements: [createInsert('b'), rollingBack] })])
  queue.accept([insert('c')])
  expect(formatOutcomes()).toEqual(['1: 1555', '2: 1555', '3: done'])
  expect({ startCount, stored: listStoredIds() }).toEqual({ startCount: 2, stored: ['c'] })
})

test('a lasting lock of another process fails all waiting jobs together', () => {
  connection.exec('pragma busy_timeout = 20')
  witness.exec('begin immediate')
  const queue = createQueue()
  queue.accept([insert('a'), insert('b'), insert('c')])
  witness.exec('rollback')
  queue.accept([insert('d')])
  expect(formatOutcomes()).toEqual(['1: 5', '2: 5', '3: 5', '4: done'])
})

test("a statement of a transaction that isn't open fails, even during a group", () => {
  const late = toQueuedJob({ kind: 'in-transaction', transaction: 7, statement: createInsert('late') })
  const lateEnd = toQueuedJob({ kind: 'end', transaction: 7, outcome: 'rollback' })
  const lateCommit = toQueuedJob({ kind: 'end', transaction: 7, outcome: 'commit' })
  createQueue(connection, [[late, lateEnd, insert('b'), lateCommit]]).accept([insert('a')])
  expect(listStoredIds()).toEqual(['a', 'b'])
  expect(replies.find(({ id }) => id === late.id)).toMatchObject({ failure: { expired: true } })
  expect(replies.find(({ id }) => id === lateCommit.id)).toMatchObject({ failure: { expired: true } })
  expect(replies.find(({ id }) => id === lateEnd.id)).toMatchObject({ answer: [] })
})

test("writers wait for an open transaction, its own statements don't", () => {
  const queue = createQueue()
  queue.accept([toQueuedJob({ kind: 'begin', transaction: 1 }), insert('waits')])
  queue.accept([toQueuedJob({ kind: 'in-transaction', transaction: 1, statement: createInsert('inside') })])
  expect(listStoredIds()).toEqual([])
  queue.accept([toQueuedJob({ kind: 'end', transaction: 1, outcome: 'commit' })])
  expect(listStoredIds()).toEqual(['inside', 'waits'])
})

test('a migration that leaves dangling references is undone', () => {
  connection.exec(`insert into notes (id) values ('owner'); insert into notes (id, owner) values ('owned', 'owner')`)
  const queue = createQueue()
  queue.accept([
    toQueuedJob({ kind: 'migration', statements: [{ sql: `delete from notes where id = 'owner'`, parameters: [] }] }),
  ])
  expect(replies[0]).toMatchObject({
    failure: { message: 'The migration leaves 1 rows of notes that reference missing rows' },
  })
  queue.accept([insert('bad', 'nobody')])
  expect(listStoredIds()).toEqual(['owned', 'owner'])
})

/** Leaves no space for `pragma optimize`, which has statistics to write. */
function fillDisk(): void {
  connection.exec(`create index rows_by_owner on notes (owner);
    insert into notes (id) with recursive numbers (number) as (values (1) union all select number + 1 from numbers where number < 300)
      select number || 'x' from numbers`)
  connection.exec(`pragma max_page_count = ${Number(connection.prepare('pragma page_count').get()!.page_count)}`)
}

test('on a full disk, failed statistics are reported and the writer continues', () => {
  fillDisk()
  const queue = createQueue()
  queue.analyze()
  expect(maintenanceFailures.map(({ errcode }) => errcode)).toEqual([13])
  queue.accept([
    toQueuedJob({ kind: 'one', statement: { sql: 'delete from notes where id > ?', parameters: ['1'] } }),
    insert('a'),
  ])
  queue.accept([toQueuedJob({ kind: 'close' })])
  expect(formatOutcomes()).toEqual(['1: done', '2: done', '3: done'])
  expect(connection.isOpen).toBe(false)
  expect(listStoredIds()).toContain('a')
})

test('failed final statistics are reported, and the connection is closed', () => {
  fillDisk()
  createQueue().accept([toQueuedJob({ kind: 'close' })])
  expect({
    errcodes: maintenanceFailures.map(({ errcode }) => errcode),
    outcomes: formatOutcomes(),
    isOpen: connection.isOpen,
  }).toEqual({ errcodes: [13], outcomes: ['1: done'], isOpen: false })
})

test('a failed truncation of the WAL is reported, and the lock timeout is restored', () => {
  const failing = interceptExec({
    'pragma busy_timeout = 0; pragma wal_checkpoint(truncate)'() {
      connection.exec('pragma busy_timeout = 0')
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
    },
  })
  const queue = createQueue(failing)
  queue.truncateWal()
  expect(maintenanceFailures).toMatchObject([{ errcode: 13 }])
  expect(connection.prepare('pragma busy_timeout').get()).toEqual({ timeout: foreignLockTimeoutMs })
  queue.accept([insert('a')])
  expect({ outcomes: formatOutcomes(), stored: listStoredIds() }).toEqual({ outcomes: ['1: done'], stored: ['a'] })
})

test('successful maintenance is not reported and never runs in a transaction', () => {
  const queue = createQueue()
  queue.analyze()
  queue.truncateWal()
  queue.accept([toQueuedJob({ kind: 'begin', transaction: 1 })])
  queue.analyze()
  queue.truncateWal()
  expect({ maintenanceFailures, isTransaction: connection.isTransaction }).toEqual({
    maintenanceFailures: [],
    isTransaction: true,
  })
})
