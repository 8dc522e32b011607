import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseUnusable, DataFolderInUse, DataFolderUnwritable } from './database-errors.ts'
import type { DatabaseFailureHandlers } from './engine-driver.ts'
import { getSqliteFiles } from './sqlite-files.ts'

const SQLITE_BUSY = 5
const checkIntervalMs = 1_000
const reclaimWaitMs = 3 * checkIntervalMs
const maxFailedReclaims = 5

/** Locks the folder until `release` or the end of the process. @throws DataFolderInUse or DataFolderUnwritable */
export async function lockDataFolder(
  dataDir: string,
  failureHandlers: DatabaseFailureHandlers = {},
): Promise<{ release(): void }> {
  createDataFolder(dataDir)
  let lock = lockFile(dataDir)
  if (isDatabaseOpenInOtherProcess(dataDir)) {
    lock.close()
    await delay(reclaimWaitMs)
    lock = lockFile(dataDir)
  }
  return watchLock(dataDir, lock, failureHandlers)
}

function lockFile(dataDir: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(getSqliteFiles(dataDir).lock)
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    const { errcode, message } = error as { errcode?: number; message: string }
    if (isBusy(errcode)) throw new DataFolderInUse(dataDir, { cause: error })
    throw new DataFolderUnwritable(dataDir, message, { cause: error })
  }
}

function isBusy(errcode = 0): boolean {
  return (errcode & 0xff) === SQLITE_BUSY
}

function isDatabaseOpenInOtherProcess(dataDir: string): boolean {
  const { database } = getSqliteFiles(dataDir)
  if (!existsSync(database)) return false
  let probe: DatabaseSync | undefined
  try {
    probe = new DatabaseSync(database, { timeout: 0 })
    probe.exec('pragma locking_mode = exclusive; select 1 from sqlite_schema limit 1')
    return false
  } catch (error) {
    return isBusy((error as { errcode?: number }).errcode)
  } finally {
    probe?.close()
  }
}

/** Locks the file again if it was deleted or replaced, because another process could lock the new one. */
function watchLock(
  dataDir: string,
  initialLock: DatabaseSync,
  { onMaintenanceFailed, onLost }: DatabaseFailureHandlers,
): { release(): void } {
  const { lock: path } = getSqliteFiles(dataDir)
  let lock = initialLock
  let lockedIdentity = getFileIdentity(path)
  let failureCount = 0
  const timer = setInterval(() => {
    try {
      if (getFileIdentity(path) === lockedIdentity) return
      const newLock = lockFile(dataDir)
      lock.close()
      lock = newLock
      lockedIdentity = getFileIdentity(path)
      failureCount = 0
    } catch (error) {
      failureCount += 1
      if (failureCount === 1) onMaintenanceFailed?.(error as Error)
      if (failureCount >= maxFailedReclaims && error instanceof DataFolderInUse) onLost?.(error)
    }
  }, checkIntervalMs)
  timer.unref()
  return {
    release() {
      clearInterval(timer)
      lock.close()
    },
  }
}

function getFileIdentity(path: string): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false })
  return file && `${file.dev}:${file.ino}`
}

/** A partial restore leaves inconsistent data; starting would hide it under an empty database. */
export function assertFullyRestored(dataDir: string): void {
  if (existsSync(getSqliteFiles(dataDir).restoring)) {
    throw new DatabaseUnusable(`A restore into ${dataDir} was interrupted. Run it again: npm run restore -- <backup>`)
  }
}

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
