import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import { isReadOnlyExpression, isWritable, type PostgresServer } from './check-postgres.ts'
import { DatabaseUnavailable, UnexpectedChanges } from './database-errors.ts'
import type { PostgresAddress } from './database-url.ts'
import type { ApplyMigration, EngineDriver, Statement, StatementResult } from './engine-driver.ts'
import type { LongReadLimits } from './long-reads.ts'
import { reportBlockers, startWithMigrationLock } from './migration-lock.ts'
import { toPostgresParameters } from './parameters.ts'
import { type ChannelListener, PostgresChannel } from './postgres-channel.ts'
import { isRefusedConnection, isRefusedWrite, runSql, toPostgresError } from './postgres-failures.ts'
import { createClientConfig } from './postgres-pool.ts'
import { ReadOnlyWatch } from './read-only-watch.ts'
import { assertOutsideTransaction } from './transaction-guard.ts'

const connectRetryDelaysMs = [200, 500]
const transactionLimits = 'set local statement_timeout = 1000; set local idle_in_transaction_session_timeout = 5000'

/** Migrations can wait longer for locks, and role settings must not end them. */
const startMigration = 'begin; set local statement_timeout = 0; set local lock_timeout = 300000'
const blockedReportMs = 10_000

export interface DriverOptions {
  lockWaitMs?: number
  onWaiting?: ((message: string) => void) | undefined
}

export interface PostgresConnections {
  address: PostgresAddress
  pool: pg.Pool
  directPool: pg.Pool
  directAddress: PostgresAddress
  server: PostgresServer
}

export class PostgresDriver implements EngineDriver {
  readonly engine = 'postgres'
  readonly dialect: Dialect
  readonly server: PostgresServer
  readonly #pool: pg.Pool
  readonly #directPool: pg.Pool
  readonly #directAddress: PostgresAddress
  readonly #options: DriverOptions
  readonly #readOnlyWatch: ReadOnlyWatch
  #inUse = 0
  #resolveIdle: (() => void) | undefined
  #closing: Promise<void> | undefined

  constructor({ pool, address, directPool, directAddress, server }: PostgresConnections, options: DriverOptions) {
    this.#pool = pool
    this.#directPool = directPool
    this.#directAddress = directAddress
    this.server = server
    this.#options = options
    this.#readOnlyWatch = new ReadOnlyWatch(() => isWritable(address))
    for (const opened of new Set([pool, directPool]))
      opened.on('connect', (client) => this.#readOnlyWatch.register(client))
    this.dialect = {
      createDriver: () => this,
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    }
  }

  async read(statement: Statement): Promise<unknown[]> {
    return (await this.withClient((client) => runStatement(client, statement))).rows
  }

  readonly longReadLimits: LongReadLimits = { concurrency: 6, perPerson: 2, heavy: 3 }

  async longRead(statement: Statement): Promise<unknown[]> {
    return this.read(statement)
  }

  async write(statement: Statement): Promise<StatementResult> {
    if (statement.requireChanges !== undefined) return (await this.batch([statement]))[0]!
    return this.#writeWith((client) => runStatement(client, statement))
  }

  async batch(statements: readonly Statement[]): Promise<StatementResult[]> {
    return this.#writeWith((client) => runInTransaction(client, () => runStatements(client, statements)))
  }

  /** A read-only connection wrote nothing, so the write is repeated once on a new one, unless the server is known to be read-only. */
  async #writeWith<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const wasKnownReadOnly = this.#readOnlyWatch.isReadOnly
    try {
      return await this.withClient(work)
    } catch (error) {
      if (wasKnownReadOnly || !isRefusedWrite(error)) throw error
      return this.withClient(work)
    }
  }

  async checkWritable(): Promise<boolean> {
    const sql = `select not ${isReadOnlyExpression} as "isWritable"`
    const [row] = (await this.read({ sql, parameters: [] })) as { isWritable: boolean }[]
    if (!row?.isWritable) this.#readOnlyWatch.reportRefusedWrite()
    return row?.isWritable ?? false
  }

  async withMigrationLock<T>(work: (apply: ApplyMigration) => Promise<T>): Promise<T> {
    const { lockWaitMs, onWaiting } = this.#options
    return this.withDirectClient(async (lockClient) => {
      await startWithMigrationLock(lockClient, { timeoutMs: lockWaitMs, onWaiting })
      try {
        const result = await work((statements) => this.#applyMigration(lockClient, statements))
        await commit(lockClient)
        return result
      } catch (error) {
        await runSql(lockClient, 'rollback').catch(() => {})
        throw error
      }
    })
  }

  async #applyMigration(lockClient: pg.PoolClient, statements: readonly Statement[]): Promise<void> {
    await this.withDirectClient(async (client) => {
      const { rows } = await runSql(client, 'select pg_backend_pid() as id')
      const stopReports = this.#reportBlocked(lockClient, rows[0].id)
      try {
        await runInTransaction(client, () => runStatements(client, statements), startMigration)
      } finally {
        await stopReports()
      }
    })
    // Fails if the connection was lost, and the lock with it.
    await runSql(lockClient, 'select 1')
  }

  #reportBlocked(lockClient: pg.PoolClient, id: number): () => Promise<void> {
    let report = Promise.resolve()
    const timer = setInterval(() => {
      report = reportBlockers(lockClient, id, this.#options.onWaiting).catch(() => {})
    }, blockedReportMs)
    return () => {
      clearInterval(timer)
      return report
    }
  }

  async listen(name: string, listener: ChannelListener): Promise<PostgresChannel> {
    const channel = new PostgresChannel(createClientConfig(this.#directAddress), name, listener)
    await channel.open()
    return channel
  }

  async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#withClientFrom(this.#pool, work)
  }

  /** A client that keeps its session. */
  async withDirectClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#withClientFrom(this.#directPool, work)
  }

  async #withClientFrom<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect(pool)
    let failure: unknown
    try {
      return await work(client)
    } catch (error) {
      failure = error
      throw error
    } finally {
      this.#release(client, failure)
    }
  }

  async #connect(pool = this.#pool): Promise<pg.PoolClient> {
    if (this.#closing) throw new DatabaseUnavailable('The database is closed')
    this.#inUse++
    try {
      return await this.#connectToPool(pool)
    } catch (error) {
      this.#countReleased()
      throw toPostgresError(error)
    }
  }

  async #connectToPool(pool: pg.Pool): Promise<pg.PoolClient> {
    for (let attempt = 0; ; ) {
      try {
        const client = await pool.connect()
        if (!this.#readOnlyWatch.isStale(client)) return client
        client.release(true)
      } catch (error) {
        const delayMs = connectRetryDelaysMs[attempt++]
        if (delayMs === undefined || !isRefusedConnection(error as Error)) throw error
        await new Promise((resolve) => setTimeout(resolve, delayMs))
      }
    }
  }

  #release(client: pg.PoolClient, failure: unknown): void {
    if (isRefusedWrite(failure)) this.#readOnlyWatch.reportRefusedWrite()
    const isBroken = failure instanceof DatabaseUnavailable || client.getTransactionStatus() !== 'I'
    client.release(isBroken)
    this.#countReleased()
  }

  #countReleased(): void {
    if (--this.#inUse === 0) this.#resolveIdle?.()
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    assertOutsideTransaction()
    return new PostgresConnection(await this.#connect())
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    this.#release(connection.client, connection.failure)
  }

  async beginTransaction({ client }: PostgresConnection, { isolationLevel }: TransactionSettings): Promise<void> {
    await runSql(client, `begin isolation level ${isolationLevel ?? 'read committed'}; ${transactionLimits}`)
  }

  async commitTransaction({ client }: PostgresConnection): Promise<void> {
    await commit(client)
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await runSql(connection.client, 'rollback')
  }

  destroy(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  // The pool itself would drop pending connection requests.
  async #close(): Promise<void> {
    if (this.#inUse > 0) await new Promise<void>((resolve) => (this.#resolveIdle = resolve))
    this.#readOnlyWatch.close()
    await Promise.all([...new Set([this.#pool, this.#directPool])].map((pool) => pool.end()))
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly client: pg.PoolClient
  failure: unknown

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const { rows, changes } = await runStatement(this.client, query)
      return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
    } catch (error) {
      this.failure = error
      throw error
    }
  }

  // biome-ignore lint/correctness/useYield: always throws
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming from the database isn’t supported: read in pages by key, or use longRead()')
  }
}

async function runInTransaction<T>(client: pg.PoolClient, work: () => Promise<T>, begin = 'begin'): Promise<T> {
  // Pipelined with the work: only a broken connection fails a begin, and that fails the work, too.
  const started = runSql(client, begin)
  try {
    const [, result] = await Promise.all([started, work()])
    await commit(client)
    return result
  } catch (error) {
    await runSql(client, 'rollback').catch(() => {})
    throw error
  }
}

/** Pipelines all statements. After one fails PostgreSQL refuses the others, so the first failure is the real one. */
async function runStatements(client: pg.PoolClient, statements: readonly Statement[]): Promise<StatementResult[]> {
  const outcomes = await Promise.allSettled(statements.map((statement) => runStatement(client, statement)))
  return outcomes.map((outcome, index) => {
    if (outcome.status === 'rejected') throw outcome.reason
    const { requireChanges, sql } = statements[index]!
    const { changes } = outcome.value
    if (requireChanges !== undefined && changes !== requireChanges)
      throw new UnexpectedChanges(index, requireChanges, changes, { sql })
    return outcome.value
  })
}

async function runStatement(client: pg.PoolClient, { sql, parameters }: Statement): Promise<StatementResult> {
  const values = toPostgresParameters(parameters)
  try {
    const { rows, rowCount } = await client.query(sql, values)
    return { rows: rows ?? [], changes: rowCount ?? 0 }
  } catch (error) {
    throw toPostgresError(error, sql)
  }
}

// PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, without an error.
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await runSql(client, 'commit')
  if (command !== 'COMMIT')
    throw toPostgresError(new Error('The transaction was rolled back instead of committed'), 'commit')
}
