import { expect, test } from 'vitest'
import type { Numbered, Reply, WriteAnswer, WriteJob } from './sqlite-write-queue.ts'
import { packJobs, packReplies, unpackJobs, unpackReplies } from './write-messages.ts'

const bytes = new Uint8Array([0, 255])
const inserts = { sql: 'insert into t values (?, ?, ?)', parameters: ['one', null, bytes] }
const guards = { sql: 'update t set a = 1', parameters: [], requireChanges: 0 }

test('jobs of every kind come out of the thread’s message as they went in', () => {
  const jobs: Numbered<WriteJob>[] = [
    { id: 1, job: { kind: 'one', statement: inserts } },
    { id: 2, job: { kind: 'batch', statements: [guards, inserts, guards] } },
    { id: 3, job: { kind: 'batch', statements: [] } },
    { id: 4, job: { kind: 'begin', transaction: 7 } },
    { id: 5, job: { kind: 'inside', transaction: 7, statement: guards } },
    { id: 6, job: { kind: 'end', transaction: 7, outcome: 'rollback' } },
    { id: 7, job: { kind: 'end', transaction: 8, outcome: 'commit' } },
    { id: 8, job: { kind: 'migration', statements: [inserts] } },
    { id: 9, job: { kind: 'close' } },
  ]
  expect(unpackJobs(structuredClone(packJobs(jobs)))).toEqual(jobs)
  expect(packJobs([])).toEqual([])
})

test('results with and without rows and failures come back as they were', () => {
  const replies: Reply<WriteAnswer>[] = [
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
