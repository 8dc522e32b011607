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
import { DatabaseUnavailable, UnexpectedChanges } from './database-errors.ts'
import type { ApplyMigration, EngineDriver, Statement, StatementResult } from './engine-driver.ts'
import type { LongReadLimits } from './long-reads.ts'
import { toPostgresParameters } from './parameters.ts'
import { type ChannelListener, PostgresChannel } from './postgres-channel.ts'
import { toPostgresError } from './postgres-failures.ts'
import { openPostgresPool } from './postgres-pool.ts'
import { assertOutsideTransaction } from './transaction-guard.ts'

const migrationLock = 5_337_240_115
const transactionLimits = 'set local statement_timeout = 1000; set local idle_in_transaction_session_timeout = 5000'

export async function openPostgresDriver(databaseUrl: string, startTimeoutMs?: number): Promise<PostgresDriver> {
  return new PostgresDriver(await openPostgresPool(databaseUrl, startTimeoutMs))
}

export class PostgresDriver implements EngineDriver {
  readonly engine = 'postgres'
  readonly dialect: Dialect
  readonly #pool: pg.Pool
  #inUse = 0
  #resolveIdle: (() => void) | undefined
  #closing: Promise<void> | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
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
    return this.withClient((client) => runStatement(client, statement))
  }

  async batch(statements: readonly Statement[]): Promise<StatementResult[]> {
    return this.withClient((client) => runInTransaction(client, () => runStatements(client, statements)))
  }

  async withMigrationLock<T>(work: (apply: ApplyMigration) => Promise<T>): Promise<T> {
    return this.withClient(async (client) => {
      await runSql(client, `select pg_advisory_lock(${migrationLock})`)
      try {
        return await work(async (statements) => {
          await runInTransaction(client, () => runStatements(client, statements))
        })
      } finally {
        await runSql(client, `select pg_advisory_unlock(${migrationLock})`)
      }
    })
  }

  async listen(name: string, listener: ChannelListener): Promise<PostgresChannel> {
    const { connectionString, application_name, connectionTimeoutMillis, keepAlive } = this.#pool.options
    const config = { connectionString, application_name, connectionTimeoutMillis, keepAlive }
    const channel = new PostgresChannel(config, name, listener)
    await channel.open()
    return channel
  }

  async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect()
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

  async #connect(): Promise<pg.PoolClient> {
    if (this.#closing) throw new DatabaseUnavailable('The database is closed')
    this.#inUse++
    try {
      return await this.#pool.connect()
    } catch (error) {
      this.#countReleased()
      throw toPostgresError(error)
    }
  }

  #release(client: pg.PoolClient, failure: unknown): void {
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
    await this.#pool.end()
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

  // biome-ignore lint/correctness/useYield: it refuses
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming from the database isn’t supported: read in pages by key, or use longRead()')
  }
}

async function runInTransaction<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  // Pipelined with the work: only a broken connection fails a begin, and that fails the work, too.
  const started = runSql(client, 'begin')
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

async function runSql(client: pg.PoolClient, sql: string): Promise<pg.QueryResult> {
  try {
    return await client.query(sql)
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
