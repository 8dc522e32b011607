import type { Dialect, Driver } from 'kysely'
import type { Places } from './long-reads.ts'
import type { Hearing } from './postgres-channel.ts'

export type Engine = 'sqlite' | 'postgres'

/** One compiled statement on its way to an engine. `requireChanges`: the exact number of rows it must change. */
export interface Statement {
  sql: string
  parameters: readonly unknown[]
  requireChanges?: number
}

/** What one statement gave back: the rows it returned, and how many rows it inserted, updated or deleted. */
export interface StatementResult<Row = unknown> {
  rows: Row[]
  changes: number
}

/** What whoever opened a database hears of it without having asked. */
export interface Trouble {
  /** It looks after itself between the writes, and could not; it tries again, and everything else goes on. */
  upkeepFailed?(error: Error): void
  /** Nothing will be written any more, and reading may go on: only a new process helps. */
  lost?(error: Error): void
}

/** Runs the statements of one migration, all or none of them. */
export type ApplyMigration = (statements: readonly Statement[]) => Promise<void>

/** What an engine offers besides the driver calls Kysely itself makes. */
export interface EngineDriver extends Driver {
  readonly engine: Engine
  readonly dialect: Dialect
  read(statement: Statement): Promise<unknown[]>
  /** Who reads `many` without a pause gets what those of `few` leave. */
  longRead(statement: Statement, reads: 'few' | 'many'): Promise<unknown[]>
  readonly placesForLongReads: Places
  write(statement: Statement): Promise<StatementResult>
  batch(statements: readonly Statement[]): Promise<StatementResult[]>
  /** While `work` runs, no other process on the same database can be in here. */
  underMigrationLock<T>(work: (apply: ApplyMigration) => Promise<T>): Promise<T>
  /** Hears what any process sends to a channel of this database. Absent where only one process can be on it. */
  listen?(channel: string, hearing: Hearing): Promise<{ close(): Promise<void> }>
}
