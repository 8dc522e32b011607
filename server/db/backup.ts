import { createWriteStream, existsSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backup as copyPages, DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { dayMs } from '#server/values/time-units.ts'
import {
  computeChecksum,
  copyWithChecksum,
  formatTimestamp,
  listFilesRecursively,
  type Manifest,
  syncFile,
  syncFolder,
  writeManifest,
} from './backup-archive.ts'
import { dumpDatabase, formatDumpLine } from './canonical-dump.ts'
import type { Database, DatabaseSettings } from './database.ts'
import { ignoreMissing, listNames } from './file-system.ts'
import type { MediaCopier } from './media-for-backup.ts'
import type { AppliedMigration } from './migrate.ts'
import type { PostgresSettings } from './open-postgres.ts'
import type { PostgresDriver } from './postgres-driver.ts'
import { createPostgresDump } from './postgres-dump.ts'
import { listAppliedMigrations } from './sqlite-dump.ts'
import { mapDiskFull } from './sqlite-failures.ts'
import { getSqliteFiles, openReaderConnection } from './sqlite-files.ts'

export interface BackupResult {
  path: string
  files: number
  bytes: number
  damaged: string[]
}

/** Prefixes of the names of archives. */
export type BackupKind = 'keeper' | 'nightly' | 'before-restore'

interface BackupOptions {
  kind?: BackupKind
  mediaCopier?: MediaCopier
  onDatabaseSaved?: (bytes: number) => void
  /** An open connection, in place of `databaseUrl`. */
  postgres?: PostgresDriver | undefined
}

export const mediaFolder = 'media'
const lockTimeoutMs = 5_000
const abandonedAfterMs = 3 * dayMs
const unfinishedUpload = /\/[0-9a-f]{64}\.[0-9a-f]{12}$/

/** Writes `backups/keeper-<time>/` with a database snapshot, media and a manifest, but no master key. Keeper can keep running and writing. */
export async function createBackup(
  settings: DatabaseSettings,
  now: Date,
  keyFingerprint: string | null,
  { kind = 'keeper', mediaCopier = copyWithChecksum, onDatabaseSaved, postgres }: BackupOptions = {},
): Promise<BackupResult> {
  const { dataDir } = settings
  await removeAbandonedBackups(join(dataDir, 'backups'), now)
  return writeArchive(join(dataDir, 'backups', `${kind}-${formatTimestamp(now)}`), async (folder) => {
    const database = await saveDatabase(settings, postgres, folder)
    onDatabaseSaved?.(database.files[database.database]?.bytes ?? 0)
    const media = await saveMedia(dataDir, folder, mediaCopier)
    return {
      format: 1,
      madeAt: now.toISOString(),
      ...database,
      media: true,
      keyFingerprint,
      files: { ...database.files, ...media },
    }
  })
}

/** Removes unfinished backups of killed processes, by age: no lock tells them apart from a running one. */
async function removeAbandonedBackups(folder: string, now: Date): Promise<void> {
  for (const name of (await listNames(folder)).filter((fileName) => fileName.endsWith('.unfinished'))) {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false })
    if (stats && stats.mtimeMs < now.getTime() - abandonedAfterMs)
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

export async function removeOlderBackups(
  dataDir: string,
  maxBackups: number,
  { kind = 'keeper', now }: { kind?: BackupKind; now: Date },
): Promise<string[]> {
  const folder = join(dataDir, 'backups')
  const names = (await listBackups(dataDir, now))
    .flatMap((candidate) => (candidate.kind === kind ? candidate.name : []))
    .toSorted()
  const olderNames = names.slice(0, Math.max(0, names.length - maxBackups))
  for (const name of olderNames) await rm(join(folder, name), { recursive: true })
  return olderNames
}

/** Archives of {@link createBackup}, newest first, without backups before a migration. Future ones come from a wrong clock and would never expire. */
export async function listBackups(
  dataDir: string,
  now: Date,
): Promise<{ name: string; kind: BackupKind; createdAt: number }[]> {
  const backups = (await listNames(join(dataDir, 'backups'))).flatMap((name) => {
    const [, kind, ...parts] = /^(keeper|nightly)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(name) ?? []
    const [year = 0, month = 0, ...time] = parts.map(Number)
    return kind ? [{ name, kind: kind as BackupKind, createdAt: Date.UTC(year, month - 1, ...time) }] : []
  })
  return backups
    .filter(({ createdAt }) => createdAt <= now.getTime())
    .toSorted((left, right) => right.createdAt - left.createdAt)
}

const backupSizes = new Map<string, number>()

export async function findNewestBackup(
  dataDir: string,
  now: Date,
): Promise<{ createdAt: number; bytes: number } | null> {
  for (const { name, createdAt } of await listBackups(dataDir, now)) {
    const folder = join(dataDir, 'backups', name)
    try {
      let bytes = backupSizes.get(folder)
      if (bytes === undefined) {
        const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
        bytes = Object.values(manifest.files).reduce((totalBytes, file) => totalBytes + file.bytes, 0)
        backupSizes.clear()
        backupSizes.set(folder, bytes)
      }
      return { createdAt, bytes }
    } catch {}
  }
  return null
}

/** Backs up the database without media. Returns a file for SQLite, an archive for PostgreSQL; `npm run restore` takes both. */
export async function backupBeforeMigration(db: Database, dataDir: string, name: string, now: Date): Promise<string> {
  const path = join(dataDir, 'backups', `before-${name}-${formatTimestamp(now)}`)
  if (db.engine === 'postgres') return (await archivePostgres(db.engineDriver as PostgresDriver, path, now)).path
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.db.unfinished`
  try {
    await copySqlite(dataDir, unfinished)
    await syncFile(unfinished)
    await rename(unfinished, `${path}.db`)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw mapDiskFull(error, getBackupDiskFullMessage(dataDir))
  }
  return `${path}.db`
}

export async function archivePostgres(driver: PostgresDriver, path: string, now: Date): Promise<BackupResult> {
  return writeArchive(path, async (folder) => ({
    format: 1,
    madeAt: now.toISOString(),
    ...(await savePostgres(driver, folder)),
    media: false,
    keyFingerprint: null,
  }))
}

const getBackupDiskFullMessage = (folder: string) =>
  `The disk is full, so there is no space for a backup in ${folder}. Nothing was changed. Free some space and try again.`

type SavedDatabase = Pick<Manifest, 'engine' | 'database' | 'migrations' | 'files'>

// Renamed when complete and on disk, so that a partial archive never looks like a backup.
async function writeArchive(path: string, fill: (folder: string) => Promise<Manifest>): Promise<BackupResult> {
  const unfinished = `${path}.unfinished`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  if (existsSync(path)) throw new Error(`The backup ${path} already exists`)
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  try {
    const manifest = await fill(unfinished)
    await writeManifest(unfinished, manifest)
    await syncFolder(unfinished)
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    const checksums = Object.values(manifest.files)
    const bytes = checksums.reduce((total, checksum) => total + checksum.bytes, 0)
    return { path, files: checksums.length, bytes, damaged: findDamagedMedia(manifest) }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw mapDiskFull(error, getBackupDiskFullMessage(dirname(path)))
  }
}

function findDamagedMedia({ files }: Manifest): string[] {
  return Object.entries(files).flatMap(([path, { sha256 }]) => {
    const [, expectedHash] = /^media\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(path) ?? []
    return expectedHash !== undefined && expectedHash !== sha256 ? path : []
  })
}

async function saveDatabase(
  settings: DatabaseSettings,
  postgres: PostgresDriver | undefined,
  folder: string,
): Promise<SavedDatabase> {
  if (postgres) return savePostgres(postgres, folder)
  const { dataDir, databaseUrl } = settings
  return databaseUrl ? savePostgresByUrl({ ...settings, databaseUrl }, folder) : saveSqlite(dataDir, folder)
}

async function saveSqlite(dataDir: string, folder: string): Promise<SavedDatabase> {
  const copy = join(folder, 'data.db')
  const migrations = await copySqlite(dataDir, copy)
  return { engine: 'sqlite', database: 'data.db', migrations, files: { 'data.db': await computeChecksum(copy) } }
}

/** Copies through SQLite, because reading the file itself would tear and drop this process's locks on it. */
async function copySqlite(dataDir: string, to: string): Promise<AppliedMigration[]> {
  const { database } = getSqliteFiles(dataDir)
  if (!existsSync(database)) throw new Error(`There is no database to back up in ${dataDir}`)
  const connection = openReaderConnection(database, lockTimeoutMs)
  try {
    // All pages in one step: between steps, any write makes SQLite start again.
    await copyPages(connection, to, { rate: 2 ** 31 - 1 })
  } finally {
    connection.close()
  }
  return finalizeCopy(to)
}

// Out of WAL mode, the copy is one file that reading doesn't change.
function finalizeCopy(file: string): AppliedMigration[] {
  const copy = new DatabaseSync(file)
  try {
    copy.exec('pragma journal_mode = delete')
    const check = copy.prepare('pragma quick_check(1)').get()?.quick_check
    if (check !== 'ok')
      throw new Error(`The database is damaged (${check}). Restore an older backup: npm run restore -- <backup>`)
    return listAppliedMigrations(copy)
  } finally {
    copy.close()
  }
}

async function savePostgresByUrl(settings: PostgresSettings, folder: string): Promise<SavedDatabase> {
  const { openDirectDriver } = await import('./open-postgres.ts')
  const driver = await openDirectDriver(settings)
  try {
    return await savePostgres(driver, folder)
  } finally {
    await driver.destroy()
  }
}

async function savePostgres(driver: PostgresDriver, folder: string): Promise<SavedDatabase> {
  const file = join(folder, 'rows.jsonl')
  const migrations = await driver.withDirectClient(async (client) => {
    const source = await createPostgresDump(client)
    try {
      const lines = async function* () {
        for await (const entry of dumpDatabase(source)) yield `${formatDumpLine(entry)}\n`
      }
      await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
      return (await client.query<AppliedMigration>('select name, checksum from keeper_migrations order by name')).rows
    } finally {
      await source.close()
    }
  })
  return {
    engine: 'postgres',
    database: 'rows.jsonl',
    migrations,
    files: { 'rows.jsonl': await computeChecksum(file) },
  }
}

/** Runs after the database copy, so every file its rows reference exists. */
async function saveMedia(dataDir: string, folder: string, copyMediaFile: MediaCopier): Promise<Manifest['files']> {
  const from = join(dataDir, mediaFolder)
  await mkdir(join(folder, mediaFolder), { mode: 0o700 })
  if (!existsSync(from)) return {}
  const files: Manifest['files'] = {}
  const folders = new Set<string>()
  for (const path of await listFilesRecursively(from)) {
    if (unfinishedUpload.test(path)) continue
    const to = join(folder, mediaFolder, path)
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    try {
      files[`${mediaFolder}/${path}`] = await copyMediaFile(join(from, path), to)
      folders.add(dirname(to))
    } catch (error) {
      ignoreMissing(error as Error)
      // The file was deleted during the copy; remove the partial copy, which the manifest doesn't list.
      await rm(to, { force: true })
    }
  }
  for (const mediaSubfolder of folders) await syncFolder(mediaSubfolder)
  return files
}
