import type { Dialect, Driver } from 'kysely'
import type { LongReadLimits, ReadLoad } from './long-reads.ts'
import type { ChannelListener } from './postgres-channel.ts'

export type Engine = 'sqlite' | 'postgres'

export interface Statement {
  sql: string
  parameters: readonly unknown[]
  requireChanges?: number
}

export interface StatementResult<Row = unknown> {
  rows: Row[]
  changes: number
}

export interface DatabaseFailureHandlers {
  onMaintenanceFailed?(error: Error): void
  onWaiting?(this: void, message: string): void
  onLost?(error: Error): void
}

export type ApplyMigration = (statements: readonly Statement[]) => Promise<void>

export interface EngineDriver extends Driver {
  readonly engine: Engine
  readonly dialect: Dialect
  read(statement: Statement): Promise<unknown[]>
  longRead(statement: Statement, load: ReadLoad): Promise<unknown[]>
  readonly longReadLimits: LongReadLimits
  write(statement: Statement): Promise<StatementResult>
  batch(statements: readonly Statement[]): Promise<StatementResult[]>
  withMigrationLock<T>(work: (apply: ApplyMigration) => Promise<T>): Promise<T>
  /** Details for the log, without an address. */
  readonly server?: { version: string; tls: string; isTransactionPooled: boolean }
  /** Absent: the engine is writable whenever it answers. */
  checkWritable?(): Promise<boolean>
  listen?(channel: string, listener: ChannelListener): Promise<{ close(): Promise<void> }>
}
