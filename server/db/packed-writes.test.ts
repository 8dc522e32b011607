import { expect, test } from 'vitest'
import { JobPacker, JobUnpacker, packReplies, unpackReplies } from './packed-writes.ts'
import type { JobReply, QueuedJob, WriteAnswer, WriteJob } from './sqlite-write-queue.ts'

const bytes = new Uint8Array([0, 255])
const insertion = { sql: 'insert into t values (?, ?, ?)', parameters: ['one', null, bytes] }
const guardedUpdate = { sql: 'update t set a = 1', parameters: [], requireChanges: 0 }

test('jobs of every kind round-trip', () => {
  const jobs: QueuedJob<WriteJob>[] = [
    { id: 1, job: { kind: 'one', statement: insertion } },
    { id: 2, job: { kind: 'batch', statements: [guardedUpdate, insertion, guardedUpdate] } },
    { id: 3, job: { kind: 'batch', statements: [] } },
    { id: 4, job: { kind: 'begin', transaction: 7 } },
    { id: 5, job: { kind: 'in-transaction', transaction: 7, statement: guardedUpdate } },
    { id: 6, job: { kind: 'end', transaction: 7, outcome: 'rollback' } },
    { id: 7, job: { kind: 'end', transaction: 8, outcome: 'commit' } },
    { id: 8, job: { kind: 'migration', statements: [insertion] } },
    { id: 9, job: { kind: 'close' } },
  ]
  const [packer, unpacker] = [new JobPacker(), new JobUnpacker()]
  for (let time = 0; time < 3; time++) expect(unpacker.unpack(structuredClone(packer.pack(jobs)))).toEqual(jobs)
  expect(packer.pack([])).toEqual([])
})

const createJob = (sql: string): QueuedJob<WriteJob> => ({
  id: 1,
  job: { kind: 'one', statement: { sql, parameters: [] } },
})
const findTexts = (packed: unknown[]) => packed.filter((value) => String(value).includes('update'))

test('the text of a statement is sent once', () => {
  const [packer, unpacker] = [new JobPacker(), new JobUnpacker()]
  const jobs = Array.from({ length: 1_500 }, (_, number) => createJob(`update t set a = ${number}`))
  expect(unpacker.unpack(packer.pack(jobs))).toEqual(jobs)
  const again = packer.pack(jobs)
  expect(findTexts(again)).toHaveLength(500)
  expect(unpacker.unpack(again)).toEqual(jobs)
})

test('very long texts and migrations are always sent in full', () => {
  const [packer, unpacker] = [new JobPacker(), new JobUnpacker()]
  const migration: QueuedJob<WriteJob> = {
    id: 2,
    job: { kind: 'migration', statements: [{ sql: 'update m', parameters: [] }] },
  }
  const jobs = [createJob(`update t set a = '${'x'.repeat(5_000)}'`), migration, createJob('update t')]
  expect(unpacker.unpack(packer.pack(jobs))).toEqual(jobs)
  const again = packer.pack(jobs)
  expect(findTexts(again)).toHaveLength(2)
  expect(unpacker.unpack(again)).toEqual(jobs)
})

test('after a failed message, all texts are sent in full', () => {
  const [packer, unpacker] = [new JobPacker(), new JobUnpacker()]
  unpacker.unpack(packer.pack([createJob('update a')]))
  packer.pack([createJob('update lost')])
  packer.stopNumbering()
  const jobs = [createJob('update b'), createJob('update lost'), createJob('update a')]
  for (let time = 0; time < 2; time++) {
    const packed = packer.pack(jobs)
    expect(findTexts(packed)).toHaveLength(3)
    expect(unpacker.unpack(packed)).toEqual(jobs)
  }
})

test('results with and without rows and failures round-trip', () => {
  const replies: JobReply<WriteAnswer>[] = [
    { id: 1, answer: [] },
    { id: 2, answer: [{ rows: [], changes: 3 }] },
    { id: 3, failure: { message: 'database or disk is full', errcode: 13 } },
    {
      id: 4,
      answer: [
        { rows: [{ id: 'a', list: ['b'] }, { id: 'c' }], changes: 2 },
        { rows: [], changes: 0 },
      ],
    },
  ]
  expect(unpackReplies(structuredClone(packReplies(replies)))).toEqual(replies)
})
