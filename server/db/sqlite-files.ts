import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Where things lie in the data folder. Never open the database or the lock with fs in this process: SQLite's locks on a file fall when any descriptor of it is closed. */
export const sqliteFiles = (dataDir: string) => ({
  database: join(dataDir, 'data.db'),
  lock: join(dataDir, 'keeper.lock'),
  /** Present while a restore is between two states. */
  restoring: join(dataDir, 'restore-in-progress'),
})

/** How long a write waits for a lock of another process, a backup for instance, before it is DatabaseBusy; ms. */
export const foreignLockPatience = 5_000

/**
 * Pages of the database that a connection keeps, in kB. SQLite's own 2 MB are read anew with every other question; four times
 * as much as here was no faster, and is memory that every thread fills and none gives back.
 */
const readerCache = 16 * 1024
const writerCache = 8 * 1024
/** Pages of the write-ahead log (4 kB each) after which it is put into the database: what is written over and over goes once. */
const pagesBeforeCheckpoint = 4_000

/**
 * The one connection that writes. FULL: a commit is on the disk before it returns, not with the next checkpoint.
 * What is deleted is overwritten, so that it does not go on lying in the file.
 */
export function openWriterConnection(file: string): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: foreignLockPatience, enableForeignKeyConstraints: true })
  connection.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma fullfsync = on;
    pragma temp_store = memory;
    pragma cache_size = -${writerCache};
    pragma wal_autocheckpoint = ${pagesBeforeCheckpoint};
    pragma secure_delete = on;
    pragma journal_size_limit = ${64 * 1024 * 1024};
  `)
  return connection
}

/** `patience`: ms to wait for a lock, which with the write-ahead log is only held while it is being recovered. */
export function openReaderConnection(file: string, patience: number): DatabaseSync {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: patience })
  connection.exec(`pragma temp_store = memory; pragma cache_size = -${readerCache}`)
  return connection
}
