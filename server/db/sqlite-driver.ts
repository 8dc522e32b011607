import type { DatabaseSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'
import { getThreadFile } from '#server/threads/thread-file.ts'
import { assertFullyRestored, lockDataFolder } from './data-folder.ts'
import { DatabaseUnavailable, DataFolderUnwritable } from './database-errors.ts'
import type {
  ApplyMigration,
  DatabaseFailureHandlers,
  EngineDriver,
  Statement,
  StatementResult,
} from './engine-driver.ts'
import type { LongReadLimits, ReadLoad } from './long-reads.ts'
import { JobPacker, unpackReplies } from './packed-writes.ts'
import { toSqliteParameters } from './parameters.ts'
import { isUnwritable, toSqliteError, toSqliteFailure } from './sqlite-failures.ts'
import { getSqliteFiles, openReaderConnection } from './sqlite-files.ts'
import type { ReaderData } from './sqlite-reader.ts'
import { changesSchema, SqliteStatements } from './sqlite-statements.ts'
import type { WriteAnswer, WriteJob } from './sqlite-write-queue.ts'
import { startSqliteWriter } from './start-writer.ts'
import { assertOutsideTransaction } from './transaction-guard.ts'
import { startThread, type Thread, WorkerChannel } from './worker-channel.ts'

// Reads run on the main thread, so waiting for a lock blocks everyone.
const readTimeoutMs = 250

export async function openSqliteDriver(
  dataDir: string,
  failureHandlers: DatabaseFailureHandlers = {},
  { startWriter = startSqliteWriter, startReader = startSqliteReader } = {},
): Promise<SqliteDriver> {
  const lock = await lockDataFolder(dataDir, failureHandlers)
  const file = getSqliteFiles(dataDir).database
  const packer = new JobPacker()
  const writer = new WorkerChannel<WriteJob, WriteAnswer>(startWriter(file), {
    packJobs: (jobs) => packer.pack(jobs),
    onSendFailed: () => packer.stopNumbering(),
    unpackReplies,
  })
  try {
    assertFullyRestored(dataDir)
    await writer.opened
    return new SqliteDriver(file, writer, startReader, lock, failureHandlers)
  } catch (error) {
    await writer.terminate()
    lock.release()
    const { cause } = error as Error
    if (isUnwritable(cause)) throw new DataFolderUnwritable(dataDir, (cause as Error).message, { cause })
    throw error
  }
}

const startSqliteReader = (data: ReaderData): Thread =>
  startThread(getThreadFile('sqlite-reader', import.meta.url), data)

interface Reader {
  load: ReadLoad
  channel: WorkerChannel<Statement, unknown[]>
  isBusy: boolean
}

/** Short reads run here on a read-only connection, writes on the writer thread, long reads on their own threads. A write resolves after its commit, so later reads see it. */
class SqliteDriver implements EngineDriver {
  readonly engine = 'sqlite'
  readonly dialect: Dialect
  readonly #file: string
  readonly #writer: WorkerChannel<WriteJob, WriteAnswer>
  readonly #startReader: (data: ReaderData) => Thread
  readonly #lock: { release(): void }
  readonly #connection: DatabaseSync
  readonly #statements: SqliteStatements
  readonly longReadLimits: LongReadLimits = { concurrency: 3, perPerson: 1, heavy: 1 }
  readonly #readers = new Set<Reader>()
  #lastTransaction = 0
  #lastMigration: Promise<unknown> = Promise.resolve()
  #closing: Promise<void> | undefined

  constructor(
    file: string,
    writer: WorkerChannel<WriteJob, WriteAnswer>,
    startReader: (data: ReaderData) => Thread,
    lock: { release(): void },
    { onMaintenanceFailed, onLost }: DatabaseFailureHandlers = {},
  ) {
    if (onMaintenanceFailed) writer.onMaintenanceFailed = onMaintenanceFailed
    this.#file = file
    this.#writer = writer
    this.#startReader = startReader
    this.#lock = lock
    this.#connection = openReaderConnection(file, readTimeoutMs)
    this.#statements = new SqliteStatements(this.#connection)
    this.dialect = {
      createDriver: () => this,
      createAdapter: () => new ConcurrentSqliteAdapter(),
      createQueryCompiler: () => new LiteralLimitCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    }
    // Last, so that a failing constructor can end the writer without calling `onLost`.
    void writer.exited().then((error) => {
      if (!this.#closing) onLost?.(error)
    })
  }

  async read({ sql, parameters }: Statement): Promise<unknown[]> {
    this.#requireOpen()
    const boundParameters = toSqliteParameters(parameters)
    try {
      return this.#statements.all(sql, boundParameters)
    } catch (error) {
      throw toSqliteError(toSqliteFailure(error, sql), error)
    }
  }

  async longRead({ sql, parameters }: Statement, load: ReadLoad): Promise<unknown[]> {
    this.#requireOpen()
    const reader = this.#getFreeReader(load)
    reader.isBusy = true
    try {
      await reader.channel.opened
      return await reader.channel.send({ sql, parameters: toSqliteParameters(parameters) })
    } finally {
      reader.isBusy = false
      if (reader.channel.hasExited) this.#readers.delete(reader)
    }
  }

  #getFreeReader(load: ReadLoad): Reader {
    for (const reader of this.#readers) if (!reader.isBusy && reader.load === load) return reader
    const reader: Reader = {
      channel: new WorkerChannel<Statement, unknown[]>(this.#startReader({ file: this.#file, load })),
      load,
      isBusy: false,
    }
    this.#readers.add(reader)
    return reader
  }

  async write(statement: Statement): Promise<StatementResult> {
    this.#requireOpen()
    if (statement.requireChanges !== undefined) return (await this.batch([statement]))[0]!
    const results = await this.#writer.send({ kind: 'one', statement: toSqliteStatement(statement) })
    if (changesSchema(statement.sql)) this.#statements.forget()
    return results[0]!
  }

  batch(statements: readonly Statement[]): Promise<StatementResult[]> {
    this.#requireOpen()
    const results = this.#writer.send({ kind: 'batch', statements: statements.map(toSqliteStatement) })
    if (!statements.some(({ sql }) => changesSchema(sql))) return results
    return results.finally(() => this.#statements.forget())
  }

  withMigrationLock<T>(work: (apply: ApplyMigration) => Promise<T>): Promise<T> {
    const migration = this.#lastMigration.then(() =>
      work(async (statements) => {
        this.#requireOpen()
        await this.#writer.send({ kind: 'migration', statements: statements.map(toSqliteStatement) })
        this.#statements.forget()
      }),
    )
    this.#lastMigration = migration.catch(() => {})
    return migration
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    assertOutsideTransaction()
    this.#requireOpen()
    return new SqliteConnection(this)
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    const transaction = ++this.#lastTransaction
    await this.#writer.send({ kind: 'begin', transaction })
    connection.transaction = transaction
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await this.#endTransaction(connection, 'commit')
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    await this.#endTransaction(connection, 'rollback')
  }

  async #endTransaction(connection: SqliteConnection, outcome: 'commit' | 'rollback'): Promise<void> {
    const { transaction } = connection
    if (transaction === undefined) return
    await this.#writer.send({ kind: 'end', transaction, outcome })
    connection.transaction = undefined
  }

  async runInTransaction(transaction: number, statement: Statement): Promise<StatementResult> {
    const results = await this.#writer.send({
      kind: 'in-transaction',
      transaction,
      statement: toSqliteStatement(statement),
    })
    return results[0]!
  }

  destroy(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#connection.close()
    await Promise.all(Array.from(this.#readers, ({ channel }) => channel.terminate()))
    try {
      if (!this.#writer.hasExited) await this.#writer.send({ kind: 'close' })
      await this.#writer.exited()
    } finally {
      this.#lock.release()
    }
  }

  #requireOpen(): void {
    if (this.#closing) throw new DatabaseUnavailable('The database is closed')
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #driver: SqliteDriver
  transaction: number | undefined

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.transaction !== undefined)
      return toQueryResult(await this.#driver.runInTransaction(this.transaction, query))
    if (query.query.kind === 'SelectQueryNode') return { rows: (await this.#driver.read(query)) as Row[] }
    return toQueryResult(await this.#driver.write(query))
  }

  // biome-ignore lint/correctness/useYield: always throws
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming from the database isn’t supported: read in pages by key, or use longRead()')
  }
}

/** Inlines constant limits. SQLite plans by the limit's value, so it would prepare the statement again on each binding, 12 to 22 µs. */
export class LiteralLimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node
    if (ValueNode.is(limit) && typeof limit.value === 'number') this.append(`limit ${limit.value}`)
    else super.visitLimit(node)
  }
}

/** With the default adapter, Kysely would make every read wait for every transaction. */
class ConcurrentSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function toQueryResult<Row>({ rows, changes }: StatementResult): QueryResult<Row> {
  return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
}

function toSqliteStatement(statement: Statement): Statement {
  const { sql, requireChanges } = statement
  return { sql, parameters: toSqliteParameters(statement.parameters), requireChanges }
}
