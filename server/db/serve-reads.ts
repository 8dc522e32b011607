import type { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { Statement } from './engine-driver.ts'
import { toSqliteFailure } from './sqlite-failures.ts'
import { openReaderConnection } from './sqlite-files.ts'
import { SqliteStatements } from './sqlite-statements.ts'
import type { JobReply, QueuedJob } from './sqlite-write-queue.ts'
import type { OpeningResult } from './worker-channel.ts'

const lockTimeoutMs = 5_000

/** @returns the connection, unless it could not be opened */
export function serveReads(file: string, port: MessagePort | null = parentPort): DatabaseSync | undefined {
  if (!port) throw new Error('The reader runs as a worker thread only')
  try {
    const connection = openReaderConnection(file, lockTimeoutMs)
    const statements = new SqliteStatements(connection)
    port.on('message', (jobs: QueuedJob<Statement>[]) => {
      for (const { id, job } of jobs) port.postMessage([createReply(statements, id, job)])
    })
    port.postMessage({ opened: true } satisfies OpeningResult)
    return connection
  } catch (error) {
    port.postMessage({ opened: false, failure: toSqliteFailure(error) } satisfies OpeningResult)
    return undefined
  }
}

function createReply(statements: SqliteStatements, id: number, { sql, parameters }: Statement): JobReply<unknown[]> {
  try {
    statements.forgetIfSchemaChanged()
    return { id, answer: statements.all(sql, parameters) }
  } catch (error) {
    return { id, failure: toSqliteFailure(error, sql) }
  }
}
