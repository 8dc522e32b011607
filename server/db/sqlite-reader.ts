import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { Statement } from './engine-driver.ts'
import { failureOf } from './sqlite-failures.ts'
import { openReaderConnection } from './sqlite-files.ts'
import { SqliteStatements } from './sqlite-statements.ts'
import type { Numbered, Reply } from './sqlite-write-queue.ts'
import type { Opening } from './worker-channel.ts'

const patience = 5_000

const port = parentPort
if (!port) throw new Error('The reader runs as a worker thread only')
giveWay()
try {
  const statements = new SqliteStatements(openReaderConnection((workerData as { file: string }).file, patience))
  port.on('message', (jobs: Numbered<Statement>[]) => {
    for (const { id, job } of jobs) port.postMessage([answer(statements, id, job)])
  })
  port.postMessage({ opened: true } satisfies Opening)
} catch (error) {
  port.postMessage({ opened: false, failure: failureOf(error) } satisfies Opening)
}

/**
 * A long read takes the time that is left: the thread that answers comes first. Linux has a priority for each thread; in a
 * process that may not change its own, or elsewhere, both are equal.
 */
function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    return
  }
}

function answer(statements: SqliteStatements, id: number, { sql, parameters }: Statement): Reply<unknown[]> {
  try {
    statements.forgetIfChanged()
    return { id, answer: statements.all(sql, parameters) }
  } catch (error) {
    return { id, failure: failureOf(error, sql) }
  }
}
