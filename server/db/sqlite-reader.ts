import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '#server/threads/handle-thread-jobs.ts'
import type { Statement } from './engine-driver.ts'
import type { ReadLoad } from './long-reads.ts'
import { toSqliteFailure } from './sqlite-failures.ts'
import { openReaderConnection } from './sqlite-files.ts'
import { SqliteStatements } from './sqlite-statements.ts'
import type { JobReply, QueuedJob } from './sqlite-write-queue.ts'
import type { OpeningResult } from './worker-channel.ts'

export interface ReaderData {
  file: string
  load: ReadLoad
}

const lockTimeoutMs = 5_000
const niceness = { light: 0, heavy: 19 }

const port = parentPort
if (!port) throw new Error('The reader runs as a worker thread only')
const { file, load } = workerData as ReaderData
lowerThreadPriority(niceness[load])
try {
  const statements = new SqliteStatements(openReaderConnection(file, lockTimeoutMs))
  port.on('message', (jobs: QueuedJob<Statement>[]) => {
    for (const { id, job } of jobs) port.postMessage([createReply(statements, id, job)])
  })
  port.postMessage({ opened: true } satisfies OpeningResult)
} catch (error) {
  port.postMessage({ opened: false, failure: toSqliteFailure(error) } satisfies OpeningResult)
}

function createReply(statements: SqliteStatements, id: number, { sql, parameters }: Statement): JobReply<unknown[]> {
  try {
    statements.forgetIfChanged()
    return { id, answer: statements.all(sql, parameters) }
  } catch (error) {
    return { id, failure: toSqliteFailure(error, sql) }
  }
}
