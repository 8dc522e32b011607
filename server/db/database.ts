import { type CompiledQuery, Kysely, type QueryExecutorProvider, type RawBuilder, type Transaction } from 'kysely'
import { DatabaseBusy, TransactionExpired } from './database-errors.ts'
import type { Engine, EngineDriver, Statement, StatementResult, Trouble } from './engine-driver.ts'
import { LongReads } from './long-reads.ts'
import { filler, holes, type PreparedParameters, type PreparedQuery } from './prepared-query.ts'
import type { Schema } from './schema.ts'
import { openSqliteDriver } from './sqlite-driver.ts'
import { guardTransaction, refuseInsideTransaction } from './transaction-guard.ts'

export type { Engine } from './engine-driver.ts'
export { type JsonText, json } from './parameters.ts'
export { preparedQuery } from './prepared-query.ts'

export interface DatabaseSettings {
  /** Folder of the SQLite database; with `databaseUrl` it only holds backups and media. */
  dataDir: string
  /** `postgres://…`; without it the database is the SQLite file `data.db` in `dataDir`. */
  databaseUrl?: string
  /** PostgreSQL looks after itself, and its connections come back. */
  trouble?: Trouble
}

/** Anything that compiles to one statement: a query builder, `sql`…``, or a query compiled before. */
export type Write<Row = unknown> = { compile(provider: QueryExecutorProvider): CompiledQuery<Row> } | CompiledQuery<Row>

/** `rows` are those of RETURNING; `changes` counts rows inserted, updated or deleted, cascades not included. */
export type BatchResult<Row = unknown> = StatementResult<Row>

const transactionDeadline = 1_000
const attemptsOnConflict = 3

/**
 * Opens the database; does not migrate it. For SQLite it takes the lock on the data folder, which falls when the process dies.
 * Throws DataFolderInUse, DataFolderUnwritable, or (PostgreSQL, after waiting 10 s for it) DatabaseUnavailable, each with one clear line.
 */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  if (settings.databaseUrl) {
    // On first use: most start without it, and loading it takes longer than opening SQLite.
    const { openPostgresDriver } = await import('./postgres-driver.ts')
    return new Database(await openPostgresDriver(settings.databaseUrl))
  }
  return new Database(await openSqliteDriver(settings.dataDir, undefined, settings.trouble))
}

/**
 * The typed queries of Kysely over either engine. Every awaited write is on disk, and seen by every later read.
 * Booleans are true/false, JSON goes in through {@link json} and comes out parsed, times are milliseconds.
 * An expression has no declared type: `exists(…)` or `coalesce(flag, …)` gives 1 or true, depending on the engine.
 * Raw `sql`…`.execute(db)` counts as a write; for a raw read on SQLite use `longRead` or `hot`.
 */
export class Database extends Kysely<Schema> {
  readonly engine: Engine
  /** For server/db itself. */
  readonly engineDriver: EngineDriver
  readonly #longReads: LongReads

  constructor(engineDriver: EngineDriver) {
    super({ dialect: engineDriver.dialect })
    this.engine = engineDriver.engine
    this.engineDriver = engineDriver
    this.#longReads = new LongReads(engineDriver.placesForLongReads)
  }

  /**
   * Several writes, all or none, in one message to the database: the way to write more than one row of a story.
   * Wrap a write in {@link requireChanges} to undo the whole batch (UnexpectedChanges) when it hits another number of rows.
   */
  async batch(writes: readonly Write[]): Promise<BatchResult[]> {
    refuseInsideTransaction()
    if (writes.length === 0) return []
    const statements = writes.map((write) => this.#statement(write))
    // SQLite has one writer, so nothing of it waits for anything else of it; a promise less is felt in every write.
    if (this.engine === 'sqlite') return this.engineDriver.batch(statements)
    return againOnConflict(() => this.engineDriver.batch(statements))
  }

  /**
   * For the rare story that must read between its writes: 25 times dearer than `batch`, and SQLite's other writers wait for it.
   * After 1 s it is rolled back (TransactionExpired). `work` may run up to three times (PostgreSQL, when two transactions collide),
   * so it does nothing but use `tx`. Using the database beside `tx` is refused at once.
   */
  async inTransaction<T>(work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
    refuseInsideTransaction()
    return againOnConflict(() => this.#transactionOnce(work))
  }

  async #transactionOnce<T>(work: (tx: Transaction<Schema>) => Promise<T>): Promise<T> {
    const builder =
      this.engine === 'postgres' ? super.transaction().setIsolationLevel('serializable') : super.transaction()
    return builder.execute(async (tx) => {
      const deadline = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => deadline.reject(new TransactionExpired(`A transaction was open for more than ${transactionDeadline} ms`)),
        transactionDeadline,
      )
      try {
        return await Promise.race([guardTransaction(() => work(tx)), deadline.promise])
      } finally {
        clearTimeout(timer)
      }
    })
  }

  /** A write in raw SQL, never taken for a read. */
  async write<Row>(write: RawBuilder<Row> | Write<Row>): Promise<BatchResult<Row>> {
    refuseInsideTransaction()
    const statement = this.#statement(write)
    return (await againOnConflict(() => this.engineDriver.write(statement))) as BatchResult<Row>
  }

  /**
   * A read that may take long (search, export, statistics): SQLite runs it on a thread of its own, and nobody waits for
   * somebody else's.
   */
  async longRead<Row>(query: RawBuilder<Row> | Write<Row>): Promise<Row[]> {
    refuseInsideTransaction()
    const statement = this.#statement(query)
    return (await this.#longReads.inTurn((reads) => this.engineDriver.longRead(statement, reads))) as Row[]
  }

  /** `const q = db.hot<{id: string}>()(p => db.selectFrom('cards').selectAll().where('id', '=', p.id))`, then `q.first({id})`. */
  hot<Parameters extends PreparedParameters>() {
    return <Row>(build: (parameters: Parameters) => Write<Row>): PreparedQuery<Parameters, Row> => {
      const template = this.#compile(build(holes<Parameters>()))
      const fill = filler<Parameters>(template)
      const { sql } = template
      const read = async (parameters: Parameters): Promise<Row[]> => {
        refuseInsideTransaction()
        return (await this.engineDriver.read({ sql, parameters: fill(parameters) })) as Row[]
      }
      return {
        all: read,
        first: async (parameters) => (await read(parameters))[0],
        run: async (parameters) => {
          refuseInsideTransaction()
          return (await this.engineDriver.write({ sql, parameters: fill(parameters) })) as BatchResult<Row>
        },
        with: (parameters) => ({ ...template, parameters: fill(parameters) }),
      }
    }
  }

  /** While `work` runs, no other caller of this is at work on this database, in this process or another; nor does one migrate. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    return this.engineDriver.underMigrationLock(work)
  }

  /** Refuses new work, lets what was accepted finish, closes the files and the threads, gives the data folder free. */
  async close(): Promise<void> {
    await this.engineDriver.destroy()
  }

  /** Use `inTransaction`: it has a deadline and refuses the database beside its `tx`. */
  override transaction(): never {
    throw new Error('Use inTransaction() instead of transaction()')
  }

  /** Use `inTransaction`. */
  override startTransaction(): never {
    throw new Error('Use inTransaction() instead of startTransaction()')
  }

  /** There is no connection to hold: SQLite reads and writes go different ways. */
  override connection(): never {
    throw new Error('Use inTransaction() or batch() instead of connection()')
  }

  override async destroy(): Promise<void> {
    await this.close()
  }

  #compile<Row>(query: Write<Row>): CompiledQuery<Row> {
    return 'compile' in query ? query.compile(this) : query
  }

  #statement(write: Write): Statement {
    const { sql, parameters } = this.#compile(write)
    return write instanceof RequiredWrite ? { sql, parameters, requireChanges: write.changes } : { sql, parameters }
  }
}

/** Of two writes that wait for each other PostgreSQL undoes one, which may then be said again. SQLite has one writer. */
async function againOnConflict<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (attempt === attemptsOnConflict || !(error instanceof DatabaseBusy && error.conflict)) throw error
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

/** In `batch` or `write`: this write must change exactly `changes` rows (1), or nothing of the batch is kept and it fails with UnexpectedChanges. */
export function requireChanges<Row>(write: Write<Row>, changes = 1): Write<Row> {
  return new RequiredWrite('compile' in write ? write : { compile: () => write }, changes)
}
