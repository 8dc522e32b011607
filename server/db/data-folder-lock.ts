import { existsSync, mkdirSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as later } from 'node:timers/promises'
import { DatabaseUnfit, DataFolderInUse, DataFolderUnwritable } from './database-errors.ts'
import type { DatabaseTroubleHandlers } from './engine-driver.ts'
import { sqliteFiles } from './sqlite-files.ts'

const SQLITE_BUSY = 5
const checkEveryMs = 1_000
const reclaimMs = 3 * checkEveryMs
const maxFailedReclaims = 5

/** Locks the folder until `release` or the end of the process. @throws DataFolderInUse or DataFolderUnwritable */
export async function lockDataFolder(
  dataDir: string,
  trouble: DatabaseTroubleHandlers = {},
): Promise<{ release(): void }> {
  createFolder(dataDir)
  let lock = lockFile(dataDir)
  if (isDatabaseOpenInOtherProcess(dataDir)) {
    lock.close()
    await later(reclaimMs)
    lock = lockFile(dataDir)
  }
  return watchLock(dataDir, lock, trouble)
}

function lockFile(dataDir: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(sqliteFiles(dataDir).lock)
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
  const { database } = sqliteFiles(dataDir)
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

function watchLock(
  dataDir: string,
  first: DatabaseSync,
  { upkeepFailed, lost }: DatabaseTroubleHandlers,
): { release(): void } {
  const { lock: path } = sqliteFiles(dataDir)
  let lock = first
  let locked = fileIdentity(path)
  let failures = 0
  const timer = setInterval(() => {
    try {
      if (fileIdentity(path) === locked) return
      const next = lockFile(dataDir)
      lock.close()
      lock = next
      locked = fileIdentity(path)
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === 1) upkeepFailed?.(error as Error)
      if (failures >= maxFailedReclaims && error instanceof DataFolderInUse) lost?.(error)
    }
  }, checkEveryMs)
  timer.unref()
  return {
    release() {
      clearInterval(timer)
      lock.close()
    },
  }
}

function fileIdentity(path: string): string | undefined {
  const file = statSync(path, { throwIfNoEntry: false })
  return file && `${file.dev}:${file.ino}`
}

function createFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
  } catch (error) {
    throw new DataFolderUnwritable(dataDir, (error as NodeJS.ErrnoException).code ?? 'unknown', { cause: error })
  }
}

/** A partial restore leaves inconsistent data; starting would hide it under an empty database. */
export function refuseHalfRestored(dataDir: string): void {
  if (existsSync(sqliteFiles(dataDir).restoring)) {
    throw new DatabaseUnfit(`A restore into ${dataDir} was interrupted. Run it again: npm run restore -- <backup>`)
  }
}
