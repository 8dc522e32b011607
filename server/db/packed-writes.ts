import type { Statement, StatementResult } from './engine-driver.ts'
import type { SqliteFailure } from './sqlite-failures.ts'
import type { Numbered, Reply, WriteAnswer, WriteJob } from './sqlite-write-queue.ts'

// Messages to and from the writer thread are flat lists of plain values, which are copied three times as fast as objects.

export type Packed = unknown[]

const maxNumberedTexts = 1_000
const maxNumberedLength = 4_000

/** Sending side. Job: id, kind, transaction, outcome, statement count; statement: SQL or its number, required changes, parameter count, parameters. */
export class JobPacker {
  readonly #numbers = new Map<string, number>()
  #maxNumbered = maxNumberedTexts

  pack(jobs: readonly Numbered<WriteJob>[]): Packed {
    const packed: Packed = []
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

  stopNumbering(): void {
    this.#numbers.clear()
    this.#maxNumbered = 0
  }

  #toNumber(job: WriteJob, sql: string): string | number {
    const textNumber = this.#numbers.get(sql)
    if (textNumber !== undefined) return textNumber
    if (this.#numbers.size < this.#maxNumbered && isNumbered(job.kind, sql)) this.#numbers.set(sql, this.#numbers.size)
    return sql
  }
}

function getStatements(job: WriteJob): readonly Statement[] {
  if ('statements' in job) return job.statements
  return 'statement' in job ? [job.statement] : []
}

export class JobUnpacker {
  readonly #texts: string[] = []

  unpack(packed: Packed): Numbered<WriteJob>[] {
    const jobs: Numbered<WriteJob>[] = []
    for (let at = 0; at < packed.length; ) {
      const [id, kind, transaction, outcome, count] = packed.slice(at, at + 5) as [
        number,
        WriteJob['kind'],
        number,
        'commit' | 'rollback',
        number,
      ]
      at += 5
      const statements: Statement[] = []
      while (statements.length < count) {
        const end = at + 3 + (packed[at + 2] as number)
        const sql = this.#toText(kind, packed[at] as string | number)
        statements.push(createStatement(sql, packed.slice(at + 3, end), packed[at + 1] as number | null))
        at = end
      }
      jobs.push({ id, job: createJob(kind, transaction, outcome, statements) })
    }
    return jobs
  }

  #toText(kind: WriteJob['kind'], sql: string | number): string {
    if (typeof sql === 'number') return this.#texts[sql]!
    if (this.#texts.length < maxNumberedTexts && isNumbered(kind, sql)) this.#texts.push(sql)
    return sql
  }
}

function isNumbered(kind: WriteJob['kind'], sql: string): boolean {
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
    case 'inside':
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
export function packReplies(replies: readonly Reply<WriteAnswer>[]): Packed {
  const packed: Packed = []
  for (const reply of replies) {
    if ('failure' in reply) packed.push(reply.id, reply.failure)
    else {
      packed.push(reply.id, reply.answer.length)
      for (const { changes, rows } of reply.answer) packed.push(changes, rows.length === 0 ? null : rows)
    }
  }
  return packed
}

export function unpackReplies(packed: Packed): Reply<WriteAnswer>[] {
  const replies: Reply<WriteAnswer>[] = []
  for (let at = 0; at < packed.length; ) {
    const id = packed[at++] as number
    const count = packed[at++] as number | SqliteFailure
    if (typeof count !== 'number') {
      replies.push({ id, failure: count })
      continue
    }
    const answer: StatementResult[] = []
    for (; answer.length < count; at += 2)
      answer.push({ changes: packed[at] as number, rows: (packed[at + 1] ?? []) as unknown[] })
    replies.push({ id, answer })
  }
  return replies
}
