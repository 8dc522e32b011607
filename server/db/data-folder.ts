import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { DataFolderUnwritable } from './database-errors.ts'

/** Every way of running needs the folder: for files, keys and backups also with PostgreSQL and a bucket. @throws DataFolderUnwritable */
export function createDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new DataFolderUnwritable(dataDir, (error as NodeJS.ErrnoException).code ?? 'unknown', { cause: error })
  }
}
