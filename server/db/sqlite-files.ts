import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Paths in the data folder. Never open the database or lock with fs: closing any descriptor of them drops SQLite's locks in this process. */
export const getSqliteFiles = (dataDir: string) => ({
  database: join(dataDir, 'data.db'),
  lock: join(dataDir, 'keeper.lock'),
  restoring: join(dataDir, 'restore-in-progress'),
})

export const foreignLockTimeoutMs = 5_000

/** Page cache per connection in kB. SQLite's 2 MB default causes repeated reads; four times as much was no faster. */
const readerCacheKb = 16 * 1024
const writerCacheKb = 8 * 1024
const pagesBeforeCheckpoint = 4_000

/** FULL: a commit is on disk before it returns. Deleted data is overwritten in the file. */
export function openWriterConnection(file: string): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: foreignLockTimeoutMs, enableForeignKeyConstraints: true })
  connection.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma fullfsync = on;
    pragma temp_store = memory;
    pragma cache_size = -${writerCacheKb};
    pragma wal_autocheckpoint = ${pagesBeforeCheckpoint};
    pragma secure_delete = on;
    pragma journal_size_limit = ${64 * 1024 * 1024};
  `)
  return connection
}

export function openReaderConnection(file: string, lockTimeoutMs: number): DatabaseSync {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: lockTimeoutMs })
  connection.exec(`pragma temp_store = memory; pragma cache_size = -${readerCacheKb}`)
  return connection
}
