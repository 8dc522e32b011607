/** A failed statement. `sql` has placeholders, never values. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
  readonly sql: string | undefined
  constructor(message: string, options: { cause?: unknown; sql?: string } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.sql = options.sql
  }
}

export class UniqueViolation extends DatabaseError {
  override readonly name = 'UniqueViolation'
  readonly table: string | undefined
  readonly columns: string[]
  constructor(table: string | undefined, columns: string[], options: { cause?: unknown; sql?: string }) {
    super(
      `Unique constraint violated: ${columns.length > 0 ? columns.join(', ') : 'key'}${table ? ` of ${table}` : ''}`,
      options,
    )
    this.table = table
    this.columns = columns
  }
}

export class ForeignKeyViolation extends DatabaseError {
  override readonly name = 'ForeignKeyViolation'
}

export class DatabaseBusy extends DatabaseError {
  /** Serialization failure: retrying can succeed. */
  readonly isConflict: boolean
  override readonly name: string = 'DatabaseBusy'
  constructor(message: string, options: { cause?: unknown; sql?: string; isConflict?: boolean } = {}) {
    super(message, options)
    this.isConflict = options.isConflict ?? false
  }
}

/** The connection failed. A running write may or may not have happened. */
export class DatabaseUnavailable extends DatabaseBusy {
  override readonly name = 'DatabaseUnavailable'
}

export class DiskFull extends DatabaseError {
  override readonly name = 'DiskFull'
}

export class TransactionExpired extends DatabaseError {
  override readonly name = 'TransactionExpired'
}

/** A write of a batch changed an unexpected number of rows; the whole batch was rolled back. */
export class UnexpectedChanges extends DatabaseError {
  override readonly name = 'UnexpectedChanges'
  readonly index: number
  readonly required: number
  readonly changes: number
  constructor(index: number, required: number, changes: number, options: { sql?: string } = {}) {
    super(`Write ${index} of the batch changed ${changes} rows, ${required} required`, options)
    this.index = index
    this.required = required
    this.changes = changes
  }
}

/** For `catch`: throws another error instead of one of this kind. */
export const replaceError =
  (kind: abstract new (...args: never[]) => Error, create: () => Error) =>
  (error: unknown): never => {
    throw error instanceof kind ? create() : error
  }

export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse'
  constructor(dataDir: string, options?: { cause?: unknown }) {
    super(
      `The data folder ${dataDir} is in use by another Keeper process. Stop that one, or set KEEPER_DATA_DIR to another folder.`,
      options,
    )
  }
}

export class DataFolderUnwritable extends Error {
  override readonly name = 'DataFolderUnwritable'
  constructor(dataDir: string, reason: string, options?: { cause?: unknown }) {
    super(
      `Keeper can’t write to the data folder ${dataDir} (${reason}). Give Keeper write permission, or set KEEPER_DATA_DIR to another folder.`,
      options,
    )
  }
}

/** The server can't use this database until someone fixes the cause that the message names. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
}
