/** A statement the database did not carry out. `sql` has placeholders, never values. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
  readonly sql: string | undefined
  constructor(message: string, options: { cause?: unknown; sql?: string } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.sql = options.sql
  }
}

/** A row with the same unique key is already there. */
export class UniqueViolation extends DatabaseError {
  override readonly name = 'UniqueViolation'
  readonly table: string | undefined
  readonly columns: string[]
  constructor(table: string | undefined, columns: string[], options: { cause?: unknown; sql?: string }) {
    super(
      `Already there: unique ${columns.length > 0 ? columns.join(', ') : 'key'}${table ? ` of ${table}` : ''}`,
      options,
    )
    this.table = table
    this.columns = columns
  }
}

/** A row points at one that is not there, or the row it points at was about to go. */
export class ForeignKeyViolation extends DatabaseError {
  override readonly name = 'ForeignKeyViolation'
}

/** Nothing is wrong with the statement; the database could not take it now. Trying again later makes sense. */
export class DatabaseBusy extends DatabaseError {
  /** Two transactions collided; running the same one again is likely to work. */
  readonly conflict: boolean
  override readonly name: string = 'DatabaseBusy'
  constructor(message: string, options: { cause?: unknown; sql?: string; conflict?: boolean } = {}) {
    super(message, options)
    this.conflict = options.conflict ?? false
  }
}

/** The connection is gone, or could not be made. A write under way may or may not have happened. */
export class DatabaseUnavailable extends DatabaseBusy {
  override readonly name = 'DatabaseUnavailable'
}

/** No room left on the disk. Nothing of the write was kept; reads go on. */
export class DiskFull extends DatabaseError {
  override readonly name = 'DiskFull'
}

/** An interactive transaction was open longer than its deadline and was rolled back. */
export class TransactionExpired extends DatabaseError {
  override readonly name = 'TransactionExpired'
}

/** A write of a batch changed another number of rows than it required; nothing of the batch was kept. */
export class UnexpectedChanges extends DatabaseError {
  override readonly name = 'UnexpectedChanges'
  /** Place of the write in its batch, from 0. */
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

/** Another process holds the data folder. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse'
  constructor(dataDir: string, options?: { cause?: unknown }) {
    super(
      `The data folder ${dataDir} is in use by another Keeper. Stop that one, or set KEEPER_DATA_DIR to another folder.`,
      options,
    )
  }
}

/** The data folder cannot be made or written. */
export class DataFolderUnwritable extends Error {
  override readonly name = 'DataFolderUnwritable'
  constructor(dataDir: string, reason: string, options?: { cause?: unknown }) {
    super(
      `The data folder ${dataDir} cannot be written (${reason}). Give Keeper the right to write it, or set KEEPER_DATA_DIR to another folder.`,
      options,
    )
  }
}

/** The database is there, but Keeper cannot start on it as it is. The message is one line that says what to do. */
export class DatabaseUnfit extends Error {
  override readonly name = 'DatabaseUnfit'
}
