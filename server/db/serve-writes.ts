import type { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { hourMs } from '#server/values/time-units.ts'
import { JobUnpacker, type PackedMessage, packReplies } from './packed-writes.ts'
import { toSqliteFailure } from './sqlite-failures.ts'
import { type QueuedJob, SqliteWriteQueue, type WriteJob } from './sqlite-write-queue.ts'
import type { MaintenanceFailure, OpeningResult } from './worker-channel.ts'

const firstAnalyzeDelayMs = 20_000
const analyzeIntervalMs = hourMs
const truncateWalIntervalMs = hourMs

export function serveWrites(open: () => DatabaseSync, port: MessagePort | null = parentPort): void {
  if (!port) throw new Error('The writer runs as a worker thread only')
  const postOpening = (message: OpeningResult) => port.postMessage(message)
  let connection: DatabaseSync
  try {
    connection = open()
  } catch (error) {
    postOpening({ opened: false, failure: toSqliteFailure(error) })
    return
  }
  const unpacker = new JobUnpacker()
  const queue = new SqliteWriteQueue(connection, {
    takeIncomingJobs() {
      const jobs: QueuedJob<WriteJob>[] = []
      for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port))
        jobs.push(...unpacker.unpack(received.message))
      return jobs
    },
    post: (replies) => port.postMessage(packReplies(replies)),
    onMaintenanceFailed: (failure) => port.postMessage({ maintenanceFailed: failure } satisfies MaintenanceFailure),
    onClosed: () => port.close(),
  })
  const timers = [
    setTimeout(() => queue.analyze(), firstAnalyzeDelayMs),
    setInterval(() => queue.analyze(), analyzeIntervalMs),
    setInterval(() => queue.truncateWal(), truncateWalIntervalMs),
  ]
  for (const timer of timers) timer.unref()
  port.on('message', (jobs: PackedMessage) => queue.accept(unpacker.unpack(jobs)))
  postOpening({ opened: true })
}
