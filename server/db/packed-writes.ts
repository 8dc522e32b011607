import type { Statement, StatementResult } from './engine-driver.ts'
import type { SqliteFailure } from './sqlite-failures.ts'
import type { JobReply, QueuedJob, WriteAnswer, WriteJob } from './sqlite-write-queue.ts'

// Messages to and from the writer thread are flat lists of plain values, which are copied three times as fast as objects.

export type PackedMessage = unknown[]

const maxNumberedTexts = 1_000
const maxNumberedLength = 4_000

/** Sending side. Job: id, kind, transaction, outcome, statement count; statement: SQL or its number, required changes, parameter count, parameters. */
export class JobPacker {
  readonly #numbers = new Map<string, number>()
  #maxNumbered = maxNumberedTexts

  pack(jobs: readonly QueuedJob<WriteJob>[]): PackedMessage {
    const packed: PackedMessage = []
    for (const { id, job } of jobs) {
      const statements = getStatements(job)
      packed.push(
        id,
        job.kind,
        'transaction' in job ? job.transaction : null,
        'outcome' in job ? job.outcome : null,
        statements.length,
      )
      for (const { sql, requireChanges, parameters } of statements)
        packed.push(this.#toNumber(job, sql), requireChanges ?? null, parameters.length, ...parameters)
    }
    return packed
  }

  /** Sends all SQL as text, because the receiver may have missed the text of a number. */
  stopNumbering(): void {
    this.#numbers.clear()
    this.#maxNumbered = 0
  }

  #toNumber(job: WriteJob, sql: string): string | number {
    const textNumber = this.#numbers.get(sql)
    if (textNumber !== undefined) return textNumber
    if (this.#numbers.size < this.#maxNumbered && shouldNumber(job.kind, sql))
      this.#numbers.set(sql, this.#numbers.size)
    return sql
  }
}

function getStatements(job: WriteJob): readonly Statement[] {
  if ('statements' in job) return job.statements
  return 'statement' in job ? [job.statement] : []
}

export class JobUnpacker {
  readonly #texts: string[] = []

  unpack(packed: PackedMessage): QueuedJob<WriteJob>[] {
    const jobs: QueuedJob<WriteJob>[] = []
    for (let offset = 0; offset < packed.length; ) {
      const [id, kind, transaction, outcome, count] = packed.slice(offset, offset + 5) as [
        number,
        WriteJob['kind'],
        number,
        'commit' | 'rollback',
        number,
      ]
      offset += 5
      const statements: Statement[] = []
      while (statements.length < count) {
        const end = offset + 3 + (packed[offset + 2] as number)
        const sql = this.#toText(kind, packed[offset] as string | number)
        statements.push(createStatement(sql, packed.slice(offset + 3, end), packed[offset + 1] as number | null))
        offset = end
      }
      jobs.push({ id, job: createJob(kind, transaction, outcome, statements) })
    }
    return jobs
  }

  #toText(kind: WriteJob['kind'], sql: string | number): string {
    if (typeof sql === 'number') return this.#texts[sql]!
    if (this.#texts.length < maxNumberedTexts && shouldNumber(kind, sql)) this.#texts.push(sql)
    return sql
  }
}

function shouldNumber(kind: WriteJob['kind'], sql: string): boolean {
  return kind !== 'migration' && sql.length <= maxNumberedLength
}

function createStatement(sql: string, parameters: unknown[], requireChanges: number | null): Statement {
  return requireChanges === null ? { sql, parameters } : { sql, parameters, requireChanges }
}

function createJob(
  kind: WriteJob['kind'],
  transaction: number,
  outcome: 'commit' | 'rollback',
  statements: Statement[],
): WriteJob {
  switch (kind) {
    case 'batch':
    case 'migration':
      return { kind, statements }
    case 'one':
      return { kind, statement: statements[0]! }
    case 'in-transaction':
      return { kind, transaction, statement: statements[0]! }
    case 'begin':
      return { kind, transaction }
    case 'end':
      return { kind, transaction, outcome }
    case 'close':
      return { kind }
  }
}

/** Reply: id, then the failure, or the result count and per result the changes and rows (`null` for none). */
export function packReplies(replies: readonly JobReply<WriteAnswer>[]): PackedMessage {
  const packed: PackedMessage = []
  for (const reply of replies) {
    if ('failure' in reply) packed.push(reply.id, reply.failure)
    else {
      packed.push(reply.id, reply.answer.length)
      for (const { changes, rows } of reply.answer) packed.push(changes, rows.length === 0 ? null : rows)
    }
  }
  return packed
}

export function unpackReplies(packed: PackedMessage): JobReply<WriteAnswer>[] {
  const replies: JobReply<WriteAnswer>[] = []
  for (let offset = 0; offset < packed.length; ) {
    const id = packed[offset++] as number
    const count = packed[offset++] as number | SqliteFailure
    if (typeof count !== 'number') {
      replies.push({ id, failure: count })
      continue
    }
    const answer: StatementResult[] = []
    for (; answer.length < count; offset += 2)
      answer.push({ changes: packed[offset] as number, rows: (packed[offset + 1] ?? []) as unknown[] })
    replies.push({ id, answer })
  }
  return replies
}
