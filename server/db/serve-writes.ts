import type { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { hourMs } from '#server/time-units.ts'
import { JobUnpacker, type Packed, packReplies } from './packed-writes.ts'
import { toSqliteFailure } from './sqlite-failures.ts'
import { type Numbered, SqliteWriteQueue, type WriteJob } from './sqlite-write-queue.ts'
import type { Opening, UpkeepFailed } from './worker-channel.ts'

const firstAnalyzeMs = 20_000
const analyzeMs = hourMs
const emptyLogMs = hourMs

export function serveWrites(open: () => DatabaseSync): void {
  const port = parentPort
  if (!port) throw new Error('The writer runs as a worker thread only')
  const opening = (message: Opening) => port.postMessage(message)
  let connection: DatabaseSync
  try {
    connection = open()
  } catch (error) {
    opening({ opened: false, failure: toSqliteFailure(error) })
    return
  }
  const sent = new JobUnpacker()
  const queue = new SqliteWriteQueue(connection, {
    arrived() {
      const jobs: Numbered<WriteJob>[] = []
      for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port))
        jobs.push(...sent.unpack(received.message))
      return jobs
    },
    post: (replies) => port.postMessage(packReplies(replies)),
    upkeepFailed: (failure) => port.postMessage({ upkeepFailed: failure } satisfies UpkeepFailed),
    closed: () => port.close(),
  })
  const timers = [
    setTimeout(() => queue.analyze(), firstAnalyzeMs),
    setInterval(() => queue.analyze(), analyzeMs),
    setInterval(() => queue.emptyLog(), emptyLogMs),
  ]
  for (const timer of timers) timer.unref()
  port.on('message', (jobs: Packed) => queue.accept(sent.unpack(jobs)))
  opening({ opened: true })
}
