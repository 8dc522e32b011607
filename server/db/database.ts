import {
  type CompiledQuery,
  type Expression,
  Kysely,
  type QueryExecutorProvider,
  type RawBuilder,
  type Transaction,
} from 'kysely'
import { withDeadline } from '#server/values/with-deadline.ts'
import { DatabaseBusy, TransactionExpired, UnexpectedChanges } from './database-errors.ts'
import type { DatabaseFailureHandlers, Engine, EngineDriver, Statement, StatementResult } from './engine-driver.ts'
import { LongReads } from './long-reads.ts'
import type { Schema } from './schema.ts'
import { openSqliteDriver } from './sqlite-driver.ts'
import { discardSqliteWriter } from './start-writer.ts'
import { assertOutsideTransaction, guardTransaction } from './transaction-guard.ts'

export type { Engine } from './engine-driver.ts'
export { type JsonText, json } from './parameters.ts'
export { type PreparedParameters, prepareInsert, prepareQuery } from './prepared-query.ts'

export interface DatabaseSettings {
  dataDir: string
  databaseUrl?: string
  /** PostgreSQL itself, when `databaseUrl` leads to a pooler in transaction mode. */
  directUrl?: string | undefined
  caFile?: string | undefined
  failureHandlers?: DatabaseFailureHandlers
}

export type Query<Row = unknown> = { compile(provider: QueryExecutorProvider): CompiledQuery<Row> } | CompiledQuery<Row>
/** A query that inserts, updates or deletes rows. */
export type Write<Row = unknown> = Query<Row>

/** `rows` are from RETURNING; `changes` counts inserted, updated and deleted rows without cascades. */
export type BatchResult<Row = unknown> = StatementResult<Row>

const transactionTimeoutMs = 1_000
const maxConflictAttempts = 3

/** Doesn't migrate. @throws DataFolderInUse, DataFolderUnwritable or (PostgreSQL, after 30 s) DatabaseUnavailable */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  if (settings.databaseUrl) {
    const [{ openPostgresDriver }] = await Promise.all([import('./open-postgres.ts'), discardSqliteWriter()])
    const { databaseUrl, directUrl, caFile, failureHandlers } = settings
    const onWaiting = failureHandlers?.onWaiting
    return new Database(await openPostgresDriver({ databaseUrl, directUrl, caFile }, { onWaiting }))
  }
  return new Database(await openSqliteDriver(settings.dataDir, settings.failureHandlers))
}

/**
 * Kysely on either engine. An awaited write is on disk and visible to later reads. Raw `sql`…`.execute(db)` counts as a
 * write, and expressions such as `exists(…)` return 1 or true depending on the engine.
 */
export class Database extends Kysely<Schema> {
  readonly engine: Engine
  readonly engineDriver: EngineDriver
  readonly #longReads: LongReads

  constructor(engineDriver: EngineDriver) {
    super({ dialect: engineDriver.dialect })
    this.engine = engineDriver.engine
    this.engineDriver = engineDriver
    this.#longReads = new LongReads(engineDriver.longReadLimits)
  }

  /**
   * Writes all or nothing in one message. {@link requireChanges} rolls the batch back (UnexpectedChanges) if a write
   * changes a different number of rows.
   */
  async batch(writes: readonly Write[]): Promise<BatchResult[]> {
    assertOutsideTransaction()
    if (writes.length === 0) return []
    const statements = writes.map((write) => this.#toStatement(write))
    if (this.engine === 'sqlite') return this.engineDriver.batch(statements)
    return retryOnDatabaseConflict(() => this.engineDriver.batch(statements))
  }

  /** Like {@link batch}, but resolves to undefined if a required row has changed. */
  async batchUnlessChanged(writes: readonly Write[]): Promise<BatchResult[] | undefined> {
    try {
      return await this.batch(writes)
    } catch (error) {
      if (error instanceof UnexpectedChanges) return undefined
      throw error
    }
  }

  async exists(rows: Expression<unknown>): Promise<boolean> {
    const { isFound } = await this.selectNoFrom(({ exists }) => exists(rows).as('isFound')).executeTakeFirstOrThrow()
    return Boolean(isFound)
  }

  /**
   * For reads between writes: 25 times slower than `batch`, blocks SQLite's other writers, and is rolled back after 1
   * s. `work` can run up to three times on PostgreSQL, so it must only use `tx`.
   */
  async inTransaction<T>(work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
    assertOutsideTransaction()
    return retryOnDatabaseConflict(() => this.#runTransactionOnce(work))
  }

  async #runTransactionOnce<T>(work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
    const builder =
      this.engine === 'postgres' ? super.transaction().setIsolationLevel('serializable') : super.transaction()
    const createError = () => new TransactionExpired(`A transaction was open for more than ${transactionTimeoutMs} ms`)
    return builder.execute((tx) =>
      withDeadline(
        guardTransaction(() => work(tx)),
        transactionTimeoutMs,
        createError,
      ),
    )
  }

  async write<Row>(write: RawBuilder<Row> | Write<Row>): Promise<BatchResult<Row>> {
    assertOutsideTransaction()
    const statement = this.#toStatement(write)
    return (await retryOnDatabaseConflict(() => this.engineDriver.write(statement))) as BatchResult<Row>
  }

  /** A read that skips Kysely's plugins and connections; on SQLite it is done when this returns. */
  async read<Row>(query: Query<Row>): Promise<Row[]> {
    assertOutsideTransaction()
    return (await this.engineDriver.read(this.#toStatement(query))) as Row[]
  }

  /** For slow reads (search, export, statistics): SQLite runs them on a separate thread. */
  async longRead<Row>(query: RawBuilder<Row> | Query<Row>): Promise<Row[]> {
    assertOutsideTransaction()
    const statement = this.#toStatement(query)
    return (await this.#longReads.run((load) => this.engineDriver.longRead(statement, load))) as Row[]
  }

  /** Excludes other callers and migrations in any process while `work` runs. */
  async runExclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.engineDriver.withMigrationLock(work)
  }

  async close(): Promise<void> {
    await this.engineDriver.destroy()
  }

  override transaction(): never {
    throw new Error('Use inTransaction() instead of transaction()')
  }

  override startTransaction(): never {
    throw new Error('Use inTransaction() instead of startTransaction()')
  }

  override connection(): never {
    throw new Error('Use inTransaction() or batch() instead of connection()')
  }

  override async destroy(): Promise<void> {
    await this.close()
  }

  compileQuery<Row>(query: Query<Row>): CompiledQuery<Row> {
    return 'compile' in query ? query.compile(this) : query
  }

  #toStatement(query: Query): Statement {
    const { sql, parameters } = this.compileQuery(query)
    return query instanceof RequiredWrite ? { sql, parameters, requireChanges: query.changes } : { sql, parameters }
  }
}

async function retryOnDatabaseConflict<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (attempt === maxConflictAttempts || !(error instanceof DatabaseBusy && error.isConflict)) throw error
    }
  }
}

class RequiredWrite<Row> {
  readonly write: Exclude<Write<Row>, CompiledQuery<Row>>
  readonly changes: number
  constructor(write: Exclude<Write<Row>, CompiledQuery<Row>>, changes: number) {
    this.write = write
    this.changes = changes
  }
  compile(provider: QueryExecutorProvider): CompiledQuery<Row> {
    return this.write.compile(provider)
  }
}

/**
 * In `batch` or `write`: the write must change exactly `changes` rows, or the whole batch fails with UnexpectedChanges.
 */
export function requireChanges<Row>(write: Write<Row>, changes = 1): Write<Row> {
  return new RequiredWrite('compile' in write ? write : { compile: () => write }, changes)
}

/** Rows per write of {@link writeInBatches}, whose callers put this limit into the write. */
export const batchSize = 500

/** Repeats a write that changes at most `batchSize` rows until none are left. */
export async function writeInBatches(db: Database, write: Write): Promise<void> {
  let changes = batchSize
  while (changes === batchSize) ({ changes } = await db.write(write))
}
