import type pg from 'pg'
import {
  DatabaseBusy,
  DatabaseError,
  DatabaseUnavailable,
  DiskFull,
  ForeignKeyViolation,
  TransactionExpired,
  UniqueViolation,
} from './database-errors.ts'

interface PostgresFailure extends Error {
  code?: string
  detail?: string
  table?: string
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const lostConnectionPattern =
  /connection terminated|not queryable|connection timeout|when trying to connect|connection ended/i

export function toPostgresError(error: unknown, sql?: string): DatabaseError {
  if (error instanceof DatabaseError) return error
  const failure = error as PostgresFailure
  const options = { cause: withoutValues(failure), sql }
  const code = failure.code ?? ''
  if (isConnectionError(failure))
    return new DatabaseUnavailable(`The connection to PostgreSQL failed (${code || 'lost'})`, options)
  switch (code) {
    case '23505':
      return new UniqueViolation(failure.table, parseColumns(failure), options)
    case '23503':
      return new ForeignKeyViolation('A referenced row is missing, or the row is still referenced', options)
    case '40001':
    case '40P01':
      return new DatabaseBusy('Two transactions collided', { ...options, isConflict: true })
    case '55P03':
      return new DatabaseBusy(`PostgreSQL can’t handle the query right now (${code})`, options)
    case '53100':
      return new DiskFull('PostgreSQL’s disk is full', options)
    case '57014':
      return new TransactionExpired('A statement exceeded the time limit of its transaction', options)
  }
  if (code.startsWith('23')) return new DatabaseError(`Refused by the schema: ${failure.message}`, options)
  return new DatabaseError(`The database couldn’t run a statement (PostgreSQL ${code || 'client'})`, options)
}

const readOnlyCode = '25006'
/** Too many connections; ended while idle in a transaction, or after the time limit of a transaction. */
const lostSessionCodes = new Set(['53300', '25P03', '25P04', readOnlyCode])

export function isConnectionError({ code = '', message }: PostgresFailure): boolean {
  return (
    networkCodes.has(code) ||
    lostSessionCodes.has(code) ||
    code.startsWith('08') ||
    code.startsWith('57P') ||
    (code === '' && lostConnectionPattern.test(message))
  )
}

/** Whether a server that is starting, sleeping or failing over refused the connection at once. */
export function isRefusedConnection(failure: PostgresFailure): boolean {
  const { code = '', message } = failure
  return isConnectionError(failure) && code !== '53300' && !/timeout/i.test(message)
}

/** The session or the server is read-only, as after a failover. */
export function isRefusedWrite(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? (error.cause as PostgresFailure | undefined) : undefined
  return cause?.code === readOnlyCode
}

// 'Key (owner, provider)=(…) already exists.', localized. An index on an expression has no column names.
function parseColumns({ detail }: PostgresFailure): string[] {
  const columnList = /^[^(]*\(([^()]+)\)=\(/.exec(detail ?? '')?.[1]
  if (!columnList) return []
  return columnList.split(', ').map((column) => column.replaceAll('"', ''))
}

/** Removes row values from PostgreSQL's errors, because logs print them. */
function withoutValues(failure: PostgresFailure): PostgresFailure {
  for (const property of ['detail', 'where', 'internalQuery']) {
    if (property in failure) Object.defineProperty(failure, property, { enumerable: false })
  }
  if (failure.code?.startsWith('22') || failure.code === '42601') {
    const cleanMessage = failure.message.replace(/["'«»„“].*/s, '…')
    failure.stack = failure.stack?.replace(failure.message, cleanMessage)
    failure.message = cleanMessage
  }
  return failure
}

/** Runs SQL without parameters. @throws DatabaseError */
export async function runSql(client: pg.ClientBase, sql: string): Promise<pg.QueryResult> {
  try {
    return await client.query(sql)
  } catch (error) {
    throw toPostgresError(error, sql)
  }
}
