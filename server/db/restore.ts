import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mediaFolder } from './backup.ts'
import { BackupRefused, copyWithChecksum, formatTimestamp, listFilesRecursively, syncFolder } from './backup-archive.ts'
import { migrationsTable } from './canonical-dump.ts'
import { type CheckedBackup, checkBackup, type RestoreOptions, readDumpEntries } from './check-backup.ts'
import { lockDataFolder } from './data-folder.ts'
import { Database, type DatabaseSettings, type Engine } from './database.ts'
import { ignoreMissing, listNames } from './file-system.ts'
import { loadIntoSqlite } from './load-dump.ts'
import { migrate } from './migrate.ts'
import { openSqliteDriver } from './sqlite-driver.ts'
import { mapDiskFull } from './sqlite-failures.ts'
import { getSqliteFiles } from './sqlite-files.ts'

const stagingPrefix = 'restoring-'

export interface RestoreResult {
  /** Paths that the old data was moved to. */
  movedPaths: string[]
  restoredInto: Engine
  madeFrom: Engine
}

/** @throws BackupRefused, DataFolderInUse or DiskFull */
export async function restoreBackup(
  path: string,
  settings: DatabaseSettings,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const { dataDir, databaseUrl } = settings
  const backup = await checkBackup(resolve(path), options)
  const lock = await lockDataFolder(dataDir)
  const stagingDir = join(dataDir, `${stagingPrefix}${formatTimestamp(options.now)}`)
  const movedPaths: string[] = []
  try {
    if (backup.media !== undefined) await assertSameDisk(join(dataDir, mediaFolder), dataDir)
    await removeUnfinishedRestores(dataDir)
    await stageBackup(backup, stagingDir, { withDatabase: !databaseUrl, now: options.now })
    if (databaseUrl) {
      const { restoreIntoPostgres } = await import('./restore-postgres.ts')
      const savedPath = await restoreIntoPostgres(backup, { ...settings, databaseUrl }, dataDir, options.now)
      if (savedPath) movedPaths.push(savedPath)
    }
    const oldDataPath = await swapData(stagingDir, dataDir, options.now)
    if (oldDataPath) movedPaths.push(oldDataPath)
    return {
      movedPaths,
      restoredInto: databaseUrl ? 'postgres' : 'sqlite',
      madeFrom: backup.kind === 'data.db' ? 'sqlite' : 'postgres',
    }
  } catch (error) {
    throw mapDiskFull(error, getRestoreDiskFullMessage(dataDir))
  } finally {
    await rm(stagingDir, { recursive: true, force: true })
    lock.release()
  }
}

const getRestoreDiskFullMessage = (dataDir: string) =>
  `The disk is full: the backup doesn’t fit next to the data in ${dataDir}. Nothing was changed. Free some space, or set KEEPER_DATA_DIR to a folder on a larger disk.`

interface StagingOptions {
  withDatabase: boolean
  now: Date
}

/** Call under the lock: no other restore is running then, so these folders are from killed restores. */
export async function removeUnfinishedRestores(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name.startsWith(stagingPrefix)) await rm(join(dataDir, name), { recursive: true })
}

async function stageBackup(
  backup: CheckedBackup,
  folder: string,
  { withDatabase, now }: StagingOptions,
): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  if (withDatabase) {
    const file = join(folder, basename(getSqliteFiles(folder).database))
    if (backup.kind === 'data.db') {
      await copyWithChecksum(backup.file, file)
      renewInstallation(file, now)
    } else await buildDatabase(backup, folder, now)
  }
  if (backup.media !== undefined) await copyFolder(backup.media, join(folder, mediaFolder))
}

function renewInstallation(file: string, now: Date): void {
  const connection = new DatabaseSync(file)
  try {
    connection.prepare(`update ${migrationsTable} set applied_at = ?`).run(now.getTime())
  } finally {
    connection.close()
  }
}

async function buildDatabase(backup: CheckedBackup, folder: string, now: Date): Promise<void> {
  const { database, lock } = getSqliteFiles(folder)
  const db = new Database(await openSqliteDriver(folder))
  try {
    await migrate(db, backup.migrations, { dataDir: folder, now: () => now, backup: false })
  } finally {
    await db.close()
  }
  const connection = new DatabaseSync(database)
  try {
    await loadIntoSqlite(connection, readDumpEntries(backup))
  } finally {
    connection.close()
  }
  await rm(lock, { force: true })
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  for (const path of await listFilesRecursively(from)) {
    const target = join(to, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await copyWithChecksum(join(from, path), target)
  }
}

/** Replaces data by renames only, and undoes them on failure; a marker keeps Keeper from starting in between. Returns the path of the old data, if any. */
export async function swapData(stagingDir: string, dataDir: string, now: Date): Promise<string | undefined> {
  const names = await readdir(stagingDir)
  if (names.length === 0) return undefined
  const oldDataPath = await createOldDataFolder(dataDir, stagingDir, now)
  const { restoring } = getSqliteFiles(dataDir)
  await writeFile(restoring, '', { flush: true })
  const movedFiles: { from: string; to: string }[] = []
  const move = async (from: string, to: string) => {
    await rename(from, to)
    movedFiles.push({ from, to })
  }
  try {
    for (const name of names.flatMap((name) => listFilesWithLogs(name, dataDir))) {
      await move(join(dataDir, name), join(oldDataPath, name)).catch(ignoreMissing)
    }
    for (const name of names) await move(join(stagingDir, name), join(dataDir, name))
  } catch (error) {
    for (const { from, to } of movedFiles.toReversed()) await rename(to, from)
    await rm(restoring)
    await rmdir(oldDataPath)
    throw error
  }
  await syncFolder(oldDataPath)
  await syncFolder(dataDir)
  await rm(restoring)
  if ((await readdir(oldDataPath)).length > 0) return oldDataPath
  await rmdir(oldDataPath)
  return undefined
}

/** Neither files on another disk nor a mount point can be renamed. @throws BackupRefused */
async function assertSameDisk(folder: string, dataDir: string): Promise<void> {
  const folderStats = await stat(folder).catch(ignoreMissing)
  if (!folderStats || folderStats.dev === (await stat(dataDir)).dev) return
  throw new BackupRefused(
    `${folder} is on a different disk than ${dataDir}, so it can’t be moved. Unmount it (or remove the link), restore, then move the restored contents of ${folder} to that disk.`,
    'other-disk',
  )
}

// A database's log moves with it: next to another database, it would be replayed into that one.
function listFilesWithLogs(name: string, dataDir: string): string[] {
  const isDatabase = name === basename(getSqliteFiles(dataDir).database)
  return isDatabase ? ['', '-wal', '-shm', '-journal'].map((suffix) => name + suffix) : [name]
}

/** Folders that {@link swapData} may have moved the old data to. */
export const getOldDataPaths = (dataDir: string, now: Date): string[] => {
  const name = `before-restore-${formatTimestamp(now)}`
  return [`${resolve(dataDir)}.${name}`, join(dataDir, name)]
}

/** Undoes {@link swapData}, also after a crash in the middle of it or of this. Call it under the lock of the folder. */
export async function undoSwap(dataDir: string, now: Date): Promise<void> {
  const { restoring, database } = getSqliteFiles(dataDir)
  await writeFile(restoring, '', { flush: true })
  for (const oldDataPath of getOldDataPaths(dataDir, now)) {
    const names = await listNames(oldDataPath)
    const databaseName = basename(database)
    // Removes the logs of the newer database, which would otherwise be replayed into the one that comes back.
    if (names.includes(databaseName))
      for (const name of listFilesWithLogs(databaseName, dataDir))
        if (name !== databaseName) await rm(join(dataDir, name), { force: true })
    for (const name of names.toSorted()) {
      if (name !== databaseName) await rm(join(dataDir, name), { recursive: true, force: true })
      await rename(join(oldDataPath, name), join(dataDir, name))
    }
    await rmdir(oldDataPath).catch(ignoreMissing)
  }
  await removeUnfinishedRestores(dataDir)
  await syncFolder(dataDir)
  await rm(restoring)
}

/** Next to the data folder; inside it if that is a mount point, because files can't be renamed out of one. */
async function createOldDataFolder(dataDir: string, stagingDir: string, now: Date): Promise<string> {
  const [sibling, innerFolder] = getOldDataPaths(dataDir, now) as [string, string]
  const probe = join(stagingDir, 'probe')
  try {
    await mkdir(sibling, { mode: 0o700 })
    await mkdir(probe)
    await rename(probe, join(sibling, 'probe'))
    await rmdir(join(sibling, 'probe'))
    return sibling
  } catch {
    await rmdir(probe).catch(() => {})
    await rmdir(sibling).catch(() => {})
    await mkdir(innerFolder, { mode: 0o700 })
    return innerFolder
  }
}
