import { existsSync, mkdirSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseUnfit, DataFolderInUse, DataFolderUnwritable } from './database-errors.ts'
import { sqliteFiles } from './sqlite-files.ts'

/**
 * The data folder, for one process at a time. The lock is SQLite's on an empty file, so it falls with the process, however that ends.
 * Throws DataFolderInUse or DataFolderUnwritable.
 */
export function lockDataFolder(dataDir: string): { release(): void } {
  makeFolder(dataDir)
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(sqliteFiles(dataDir).lock)
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    lock?.close()
    const { errcode, message } = error as { errcode?: number; message: string }
    if (errcode === 5) throw new DataFolderInUse(dataDir, { cause: error })
    throw new DataFolderUnwritable(dataDir, message, { cause: error })
  }
  const held = lock
  return { release: () => held.close() }
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
  } catch (error) {
    throw new DataFolderUnwritable(dataDir, (error as NodeJS.ErrnoException).code ?? 'unknown', { cause: error })
  }
}

/** Throws when a restore was cut off halfway: the folder then holds a mixture, and starting would hide it under an empty database. */
export function refuseHalfRestored(dataDir: string): void {
  if (existsSync(sqliteFiles(dataDir).restoring)) {
    throw new DatabaseUnfit(`A restore into ${dataDir} was cut off. Run it again: npm run restore -- <backup>`)
  }
}
