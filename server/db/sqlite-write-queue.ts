import type { DatabaseSync } from 'node:sqlite'
import { TransactionExpired, UnexpectedChanges } from './database-errors.ts'
import type { Statement, StatementResult } from './engine-driver.ts'
import { isConstraint, type SqliteFailure, toSqliteFailure } from './sqlite-failures.ts'
import { foreignLockTimeoutMs } from './sqlite-files.ts'
import { SqliteStatements } from './sqlite-statements.ts'

export type WriteJob =
  | { kind: 'one'; statement: Statement }
  | { kind: 'batch'; statements: readonly Statement[] }
  | { kind: 'begin'; transaction: number }
  | { kind: 'in-transaction'; transaction: number; statement: Statement }
  | { kind: 'end'; transaction: number; outcome: 'commit' | 'rollback' }
  | { kind: 'migration'; statements: readonly Statement[] }
  | { kind: 'close' }

export type QueuedJob<Job> = { id: number; job: Job }
export type JobReply<Answer> = { id: number; answer: Answer } | { id: number; failure: SqliteFailure }
export type WriteAnswer = StatementResult[]

interface WriteQueueCallbacks {
  takeIncomingJobs(): QueuedJob<WriteJob>[]
  post(replies: JobReply<WriteAnswer>[]): void
  onMaintenanceFailed(failure: SqliteFailure): void
  onClosed(): void
}

const maxGroupSize = 512

const analysisLimit = 400

/** Runs all waiting jobs in one transaction and replies after its COMMIT. An interactive transaction has the connection exclusively until it ends. */
export class SqliteWriteQueue {
  readonly #connection: DatabaseSync
  readonly #statements: SqliteStatements
  readonly #callbacks: WriteQueueCallbacks
  readonly #waiting: QueuedJob<WriteJob>[] = []
  #transaction: number | undefined
  #isPartlyApplied = false
  #nextNeedsSavepoints = false

  constructor(connection: DatabaseSync, callbacks: WriteQueueCallbacks) {
    this.#connection = connection
    this.#statements = new SqliteStatements(connection)
    this.#callbacks = callbacks
  }

  accept(jobs: readonly QueuedJob<WriteJob>[]): void {
    this.#sortIncoming(jobs)
    while (this.#transaction === undefined && this.#waiting.length > 0) this.#runNext()
  }

  #sortIncoming(jobs: readonly QueuedJob<WriteJob>[]): void {
    for (const queuedJob of jobs) {
      const { id, job } = queuedJob
      if (job.kind === 'in-transaction' || job.kind === 'end') this.#runInTransaction(id, job)
      else this.#waiting.push(queuedJob)
    }
  }

  #runNext(): void {
    const { id, job } = this.#waiting[0]!
    if (isGroupable(job)) {
      this.#runGroup()
      return
    }
    this.#waiting.shift()
    if (job.kind === 'begin') this.#begin(id, job.transaction)
    else if (job.kind === 'migration') this.#answer(id, () => this.#migrate(job.statements))
    else this.#close(id)
  }

  /** Savepoints cost a fifth of a small batch and few batches fail, so a group runs without them and is retried with them after a failure. */
  #runGroup(): void {
    const group: QueuedJob<WriteJob>[] = []
    const withSavepoints = this.#nextNeedsSavepoints
    this.#nextNeedsSavepoints = false
    this.#isPartlyApplied = false
    const replies = this.#runInOneCommit(() => {
      const groupReplies: JobReply<WriteAnswer>[] = []
      for (let next = this.#takeNextOfGroup(group.length); next; next = this.#takeNextOfGroup(group.length)) {
        group.push(next)
        groupReplies.push(this.#runJob(next, withSavepoints))
        if (!this.#connection.isTransaction) return this.#failAll(groupReplies)
        if (this.#isPartlyApplied) return this.#putBack(group)
      }
      return groupReplies
    }, group)
    if (replies.length > 0) this.#callbacks.post(replies)
  }

  #putBack(group: readonly QueuedJob<WriteJob>[]): [] {
    this.#rollback()
    this.#nextNeedsSavepoints = true
    this.#waiting.unshift(...group)
    return []
  }

  #runInOneCommit(run: () => JobReply<WriteAnswer>[], group: readonly QueuedJob<WriteJob>[]): JobReply<WriteAnswer>[] {
    try {
      this.#connection.exec('begin immediate')
    } catch (error) {
      return (group.length > 0 ? group : this.#takeGroupable()).map(({ id }) => ({
        id,
        failure: toSqliteFailure(error),
      }))
    }
    const replies = run()
    if (!this.#connection.isTransaction) return replies
    try {
      this.#connection.exec('commit')
      return replies
    } catch (error) {
      this.#rollback()
      // A deferred constraint fails only at COMMIT, without naming its job, so each job runs again alone.
      if (isConstraint(error) && group.length > 1)
        return group.flatMap((queuedJob) => this.#runInOneCommit(() => [this.#runJob(queuedJob, true)], [queuedJob]))
      return group.map(({ id }) => ({ id, failure: toSqliteFailure(error) }))
    }
  }

  #takeNextOfGroup(size: number): QueuedJob<WriteJob> | undefined {
    if (size >= maxGroupSize) return undefined
    if (this.#waiting.length === 0) this.#sortIncoming(this.#callbacks.takeIncomingJobs())
    const next = this.#waiting[0]
    return next && isGroupable(next.job) ? this.#waiting.shift() : undefined
  }

  // Fails them together: one by one, each job would wait again for the lock of another process.
  #takeGroupable(): QueuedJob<WriteJob>[] {
    const takenJobs: QueuedJob<WriteJob>[] = []
    for (let next = this.#takeNextOfGroup(0); next; next = this.#takeNextOfGroup(0)) takenJobs.push(next)
    return takenJobs
  }

  #runJob({ id, job }: QueuedJob<WriteJob>, withSavepoints: boolean): JobReply<WriteAnswer> {
    if (job.kind === 'one') return this.#attempt(id, job.statement.sql, () => [this.#run(job.statement, 0)])
    if (job.kind !== 'batch') throw new Error(`A ${job.kind} job is never part of a group`)
    const { statements } = job
    return this.#attempt(id, undefined, () =>
      withSavepoints ? this.#runBatchWithSavepoint(statements) : this.#runBatch(statements),
    )
  }

  // A failed statement undoes itself, but not the earlier ones of its batch.
  #runBatch(statements: readonly Statement[]): StatementResult[] {
    const results: StatementResult[] = []
    try {
      for (const [index, statement] of statements.entries()) results.push(this.#run(statement, index))
      return results
    } catch (error) {
      const didChange = error instanceof UnexpectedChanges && error.changes > 0
      this.#isPartlyApplied = didChange || results.some(({ changes }) => changes > 0)
      throw error
    }
  }

  #runBatchWithSavepoint(statements: readonly Statement[]): StatementResult[] {
    this.#connection.exec('savepoint batch')
    try {
      const results = statements.map((statement, index) => this.#run(statement, index))
      this.#connection.exec('release batch')
      return results
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('rollback to batch; release batch')
      throw error
    }
  }

  #run(statement: Statement, index: number): StatementResult {
    let result: StatementResult
    try {
      result = this.#statements.run(statement)
    } catch (error) {
      throw Object.assign(error as Error, { sql: statement.sql })
    }
    const { requireChanges } = statement
    if (requireChanges !== undefined && result.changes !== requireChanges)
      throw new UnexpectedChanges(index, requireChanges, result.changes, { sql: statement.sql })
    return result
  }

  // Errors such as a full disk roll back the whole transaction, including other jobs of the group.
  #failAll(groupReplies: JobReply<WriteAnswer>[]): JobReply<WriteAnswer>[] {
    const last = groupReplies.at(-1)
    const failure = last && 'failure' in last ? last.failure : { message: 'The transaction was rolled back' }
    return groupReplies.map((reply) => ('failure' in reply ? reply : { id: reply.id, failure }))
  }

  #begin(id: number, transaction: number): void {
    this.#answer(id, () => {
      this.#connection.exec('begin immediate')
      this.#transaction = transaction
      return []
    })
  }

  #runInTransaction(id: number, job: Extract<WriteJob, { kind: 'in-transaction' | 'end' }>): void {
    const isOpen = job.transaction === this.#transaction && this.#connection.isTransaction
    if (job.kind === 'in-transaction') {
      const { statement } = job
      this.#answer(
        id,
        () => {
          if (!isOpen) throw new TransactionExpired('The transaction was rolled back before this statement')
          return [this.#run(statement, 0)]
        },
        statement.sql,
      )
      return
    }
    this.#answer(id, () => {
      if (job.outcome === 'commit' && !isOpen)
        throw new TransactionExpired('The transaction was rolled back before its commit')
      if (isOpen) this.#connection.exec(job.outcome)
      return []
    })
    if (job.transaction === this.#transaction) {
      this.#rollback()
      this.#transaction = undefined
    }
  }

  /** Foreign keys are off while tables are rebuilt, because dropping one would cascade, and checked before the commit. */
  #migrate(statements: readonly Statement[]): StatementResult[] {
    this.#connection.exec('pragma foreign_keys = off')
    try {
      this.#connection.exec('begin immediate')
      for (const statement of statements) this.#statements.run(statement)
      const broken = this.#connection.prepare('pragma foreign_key_check').all()
      if (broken.length > 0)
        throw new Error(
          `The migration leaves ${broken.length} rows of ${String(broken[0]!.table)} that reference missing rows`,
        )
      this.#connection.exec('commit')
      return []
    } finally {
      this.#rollback()
      this.#connection.exec('pragma foreign_keys = on')
      this.#statements.forget()
    }
  }

  analyze(): void {
    this.#maintain(() => this.#connection.exec(`pragma analysis_limit = ${analysisLimit}; pragma optimize = 0x10002`))
  }

  /** Empties the write-ahead log, which still holds deleted data. Postponed while someone reads. */
  truncateWal(): void {
    this.#maintain(() => {
      try {
        this.#connection.exec('pragma busy_timeout = 0; pragma wal_checkpoint(truncate)')
      } finally {
        this.#connection.exec(`pragma busy_timeout = ${foreignLockTimeoutMs}`)
      }
    })
  }

  /** Runs between writes. An error such as a full disk must not end the writer thread. */
  #maintain(work: () => void): void {
    if (!this.#connection.isOpen || this.#connection.isTransaction) return
    try {
      work()
    } catch (error) {
      this.#callbacks.onMaintenanceFailed(toSqliteFailure(error))
    }
  }

  #close(id: number): void {
    this.#answer(id, () => {
      this.analyze()
      this.#connection.close()
      return []
    })
    this.#callbacks.onClosed()
  }

  #rollback(): void {
    if (this.#connection.isTransaction) this.#connection.exec('rollback')
  }

  #attempt(id: number, sql: string | undefined, run: () => StatementResult[]): JobReply<WriteAnswer> {
    try {
      return { id, answer: run() }
    } catch (error) {
      return { id, failure: toSqliteFailure(error, (error as { sql?: string }).sql ?? sql) }
    }
  }

  #answer(id: number, run: () => StatementResult[], sql?: string): void {
    this.#callbacks.post([this.#attempt(id, sql, run)])
  }
}

function isGroupable(job: WriteJob): boolean {
  return job.kind === 'one' || job.kind === 'batch'
}
