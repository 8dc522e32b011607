import {
  DatabaseBusy,
  DatabaseError,
  DatabaseUnavailable,
  DiskFull,
  ForeignKeyViolation,
  TransactionExpired,
  UnexpectedChanges,
  UniqueViolation,
} from './database-errors.ts'

export interface SqliteFailure {
  message: string
  errcode?: number
  sql?: string
  expired?: boolean
  unexpected?: { index: number; required: number; changes: number }
}

export function toSqliteFailure(error: unknown, sql?: string): SqliteFailure {
  if (error instanceof UnexpectedChanges) {
    const { message, index, required, changes } = error
    return { message, sql: error.sql ?? sql, unexpected: { index, required, changes } }
  }
  if (error instanceof TransactionExpired) return { message: error.message, sql, expired: true }
  const { message, errcode } = error as { message?: string; errcode?: number }
  return { message: message ?? String(error), errcode, sql }
}

const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_IOERR = 10
const SQLITE_FULL = 13
/** The shared memory file can't grow. */
const IOERR_SHMSIZE = 4874
const SQLITE_CONSTRAINT = 19
const SQLITE_READONLY = 8
const SQLITE_CORRUPT = 11
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26
const FOREIGN_KEY = 787
const PRIMARY_KEY = 1555
const UNIQUE = 2067

export function isConstraint(error: unknown): boolean {
  return getPrimaryCode((error as { errcode?: number }).errcode) === SQLITE_CONSTRAINT
}

export function isUnwritable(error: unknown): boolean {
  const code = getPrimaryCode((error as { errcode?: number } | undefined)?.errcode)
  return code === SQLITE_READONLY || code === SQLITE_CANTOPEN
}

/** Turns a full disk, reported by the file system or by SQLite, into DiskFull; other errors stay. */
export function mapDiskFull(error: unknown, message = 'The disk is full'): unknown {
  if (!(error instanceof Error)) return error
  const { code = '', errcode } = error as NodeJS.ErrnoException & { errcode?: number }
  const isFull = ['ENOSPC', 'EDQUOT'].includes(code) || errcode === SQLITE_FULL || errcode === IOERR_SHMSIZE
  return isFull ? new DiskFull(message, { cause: error }) : error
}

export function toSqliteError(failure: SqliteFailure, original?: unknown): DatabaseError {
  const { message, errcode, sql, unexpected } = failure
  if (unexpected) return new UnexpectedChanges(unexpected.index, unexpected.required, unexpected.changes, { sql })
  if (failure.expired) return new TransactionExpired(message, { sql })
  const cause = withoutValues(
    original instanceof Error ? original : Object.assign(new Error(message), { errcode }),
    sql,
  )
  const options = { cause, sql }
  switch (errcode) {
    case UNIQUE:
    case PRIMARY_KEY:
      return toUniqueViolation(message, options)
    case FOREIGN_KEY:
      return new ForeignKeyViolation('A referenced row is missing, or the row is still referenced', options)
    case IOERR_SHMSIZE:
      return new DiskFull('The disk is full', options)
  }
  switch (getPrimaryCode(errcode)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return new DatabaseBusy('The database is locked by another process', options)
    case SQLITE_FULL:
      return new DiskFull('The disk is full', options)
    case SQLITE_IOERR:
      return new DatabaseUnavailable(`The disk failed (SQLite ${errcode})`, options)
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return new DatabaseError(
        `The database file is damaged (SQLite ${errcode}). Restore a backup: npm run restore -- <backup>`,
        options,
      )
    case SQLITE_CONSTRAINT:
      return new DatabaseError(`Refused by the schema: ${message}`, options)
  }
  return new DatabaseError(
    errcode === undefined
      ? 'The database couldn’t run a statement'
      : `The database couldn’t run a statement (SQLite ${errcode})`,
    options,
  )
}

function getPrimaryCode(errcode: number | undefined): number | undefined {
  return errcode === undefined ? undefined : errcode & 0xff
}

// "UNIQUE constraint failed: people.email, people.domain_id", or "…failed: index 'name'" for an index on an expression.
function toUniqueViolation(message: string, options: { cause: unknown; sql?: string }): UniqueViolation {
  const columnList = message.split('constraint failed: ')[1] ?? ''
  if (columnList.startsWith('index ')) return new UniqueViolation(undefined, [], options)
  const columns = columnList.split(', ').map((columnPath) => columnPath.split('.'))
  return new UniqueViolation(
    columns[0]?.[0] || undefined,
    columns.flatMap(([, column]) => column ?? []),
    options,
  )
}

// SQLite's messages quote an invalid search text, and messages are logged.
function withoutValues<E extends Error>(error: E, sql = ''): E {
  const quotesInput =
    /\bmatch\b/i.test(sql) || /^(fts5|unknown special query|bad json path|json path)/i.test(error.message)
  if (quotesInput) {
    const cleanMessage = error.message.replace(/(near|column:|query:|path:) .*/s, '$1 …')
    error.stack = error.stack?.replace(error.message, cleanMessage)
    error.message = cleanMessage
  }
  return error
}
