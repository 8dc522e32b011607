import { createWriteStream, existsSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backup as copyPages, DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { dayMs } from '#server/hours-and-days.ts'
import { filesIn, type Manifest, stamp, sumOf, syncFile, syncFolder, writeManifest } from './backup-archive.ts'
import { dumpOf, lineOf } from './canonical-dump.ts'
import type { Database, DatabaseSettings } from './database.ts'
import { orDiskFull } from './disk-full.ts'
import { type BringMedia, copied } from './media-for-backup.ts'
import type { AppliedMigration } from './migrate.ts'
import type { PostgresDriver } from './postgres-driver.ts'
import { postgresDump } from './postgres-dump.ts'
import { openReaderConnection, sqliteFiles } from './sqlite-files.ts'

export interface BackupResult {
  /** The archive, a folder. */
  path: string
  files: number
  bytes: number
  /** In it as they are: files whose bytes are not those they were kept with, by their path in the archive. */
  damaged: string[]
}

/** What a name begins with: `keeper` when somebody asked for it, `nightly` when Keeper made it by itself. */
export type BackupKind = 'keeper' | 'nightly'

interface BackupOptions {
  kind?: BackupKind
  bringMedia?: BringMedia
}

/** Where pictures and audio lie in the data folder, and in an archive. */
export const mediaFolder = 'media'
const patience = 5_000
const abandonedAfterMs = 3 * dayMs
/** As FolderMedia names it: no row knows it yet. */
const unfinishedUpload = /\/[0-9a-f]{64}\.[0-9a-f]{12}$/

/**
 * Writes `backups/keeper-<time>/` in the data folder: the database as it is at one moment, the media, and a manifest with sums.
 * The master key is not in it. Keeper may be running, in this process or another, and may go on writing.
 */
export async function createBackup(
  { dataDir, databaseUrl }: DatabaseSettings,
  now: Date,
  keyFingerprint: string | null,
  { kind = 'keeper', bringMedia = copied }: BackupOptions = {},
): Promise<BackupResult> {
  await removeAbandoned(join(dataDir, 'backups'), now)
  return writeArchive(join(dataDir, 'backups', `${kind}-${stamp(now)}`), async (folder) => {
    const database = databaseUrl ? await saveOverConnection(databaseUrl, folder) : await saveSqlite(dataDir, folder)
    const media = await saveMedia(dataDir, folder, bringMedia)
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

/** What a process that was killed never finished. By its age: no lock tells it from one that is under way. */
async function removeAbandoned(folder: string, now: Date): Promise<void> {
  if (!existsSync(folder)) return
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.unfinished'))) {
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    if (found && found.mtimeMs < now.getTime() - abandonedAfterMs)
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** Removes the oldest archives of {@link createBackup} of one kind but so many, and answers their names. */
export async function removeOlderBackups(
  dataDir: string,
  keep: number,
  { kind = 'keeper', now }: { kind?: BackupKind; now: Date },
): Promise<string[]> {
  const folder = join(dataDir, 'backups')
  const names = (await backupsIn(dataDir, now)).flatMap((each) => (each.kind === kind ? each.name : [])).toSorted()
  const older = names.slice(0, Math.max(0, names.length - keep))
  for (const name of older) await rm(join(folder, name), { recursive: true })
  return older
}

/**
 * The archives of {@link createBackup}, the newest first. Not those before a migration, which are the database alone, and none of a time
 * to come: a clock was wrong when it was made, and each new one would seem the oldest.
 */
export async function backupsIn(
  dataDir: string,
  now: Date,
): Promise<{ name: string; kind: BackupKind; madeAt: number }[]> {
  const names = await readdir(join(dataDir, 'backups')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  const found = names.flatMap((name) => {
    const [, kind, ...parts] = /^(keeper|nightly)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(name) ?? []
    const [year = 0, month = 0, ...rest] = parts.map(Number)
    return kind ? [{ name, kind: kind as BackupKind, madeAt: Date.UTC(year, month - 1, ...rest) }] : []
  })
  return found.filter(({ madeAt }) => madeAt <= now.getTime()).toSorted((one, other) => other.madeAt - one.madeAt)
}

/** By folder, of the archive that was looked at last: a manifest names every picture there is, and never changes. */
const bytesOf = new Map<string, number>()

/** When the newest whole archive was made, and what it holds. */
export async function newestBackup(dataDir: string, now: Date): Promise<{ madeAt: number; bytes: number } | null> {
  for (const { name, madeAt } of await backupsIn(dataDir, now)) {
    const folder = join(dataDir, 'backups', name)
    try {
      let bytes = bytesOf.get(folder)
      if (bytes === undefined) {
        const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
        bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0)
        bytesOf.clear()
        bytesOf.set(folder, bytes)
      }
      return { madeAt, bytes }
    } catch {
      // What somebody copied in part is none.
    }
  }
  return null
}

/** Before a migration: the database alone. Answers the path: a file for SQLite, an archive for PostgreSQL; `npm run restore` takes both. */
export async function backupBeforeMigration(db: Database, dataDir: string, name: string, now: Date): Promise<string> {
  const path = join(dataDir, 'backups', `before-${name}-${stamp(now)}`)
  if (db.engine === 'postgres') return (await archivePostgres(db.engineDriver as PostgresDriver, path, now)).path
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // As an archive, under another name until it is whole: one cut off in the middle must not look like a backup.
  const unfinished = `${path}.db.unfinished`
  try {
    await copySqlite(dataDir, unfinished)
    await syncFile(unfinished)
    await rename(unfinished, `${path}.db`)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw orDiskFull(error, noRoom(dataDir))
  }
  return `${path}.db`
}

/** The rows of PostgreSQL alone, without media. */
export async function archivePostgres(driver: PostgresDriver, path: string, now: Date): Promise<BackupResult> {
  return writeArchive(path, async (folder) => ({
    format: 1,
    madeAt: now.toISOString(),
    ...(await savePostgres(driver, folder)),
    media: false,
    keyFingerprint: null,
  }))
}

const noRoom = (folder: string) =>
  `The disk is full: there is no room for a backup in ${folder}. Nothing was changed. Make room, and try again.`

type SavedDatabase = Pick<Manifest, 'engine' | 'database' | 'migrations' | 'files'>

/** Under another name until all of it is on the disk, so that half a backup never looks like one. */
async function writeArchive(path: string, fill: (folder: string) => Promise<Manifest>): Promise<BackupResult> {
  const unfinished = `${path}.unfinished`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  if (existsSync(path)) throw new Error(`There is a backup ${path} already`)
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  try {
    const manifest = await fill(unfinished)
    await writeManifest(unfinished, manifest)
    await syncFolder(unfinished)
    await rename(unfinished, path)
    await syncFolder(dirname(path))
    const sums = Object.values(manifest.files)
    const bytes = sums.reduce((total, each) => total + each.bytes, 0)
    return { path, files: sums.length, bytes, damaged: damagedOf(manifest) }
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw orDiskFull(error, noRoom(dirname(path)))
  }
}

/** Media are named by their sums. */
function damagedOf({ files }: Manifest): string[] {
  return Object.entries(files).flatMap(([path, { sha256 }]) => {
    const [, named] = /^media\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(path) ?? []
    return named !== undefined && named !== sha256 ? path : []
  })
}

async function saveSqlite(dataDir: string, folder: string): Promise<SavedDatabase> {
  const copy = join(folder, 'data.db')
  const migrations = await copySqlite(dataDir, copy)
  return { engine: 'sqlite', database: 'data.db', migrations, files: { 'data.db': await sumOf(copy) } }
}

/** Page for page through SQLite: reading the file itself would tear, and in the server's own process drop its locks. */
async function copySqlite(dataDir: string, to: string): Promise<AppliedMigration[]> {
  const { database } = sqliteFiles(dataDir)
  if (!existsSync(database)) throw new Error(`There is no database in ${dataDir} to back up`)
  const connection = openReaderConnection(database, patience)
  try {
    // All pages in one step: in several, a write between two makes SQLite begin anew, without end when writes keep coming.
    await copyPages(connection, to, { rate: 2 ** 31 - 1 })
  } finally {
    connection.close()
  }
  return readCopy(to)
}

// Out of the write-ahead mode, the copy is one file and stays unchanged when it is read.
function readCopy(file: string): AppliedMigration[] {
  const copy = new DatabaseSync(file)
  try {
    copy.exec('pragma journal_mode = delete')
    const check = copy.prepare('pragma quick_check(1)').get()?.quick_check
    if (check !== 'ok')
      throw new Error(`The database is damaged (${check}). Restore an older backup: npm run restore -- <backup>`)
    return copy
      .prepare('select name, checksum from keeper_migrations order by name')
      .all() as unknown as AppliedMigration[]
  } finally {
    copy.close()
  }
}

async function saveOverConnection(databaseUrl: string, folder: string): Promise<SavedDatabase> {
  const { openPostgresDriver } = await import('./postgres-driver.ts')
  const driver = await openPostgresDriver(databaseUrl)
  try {
    return await savePostgres(driver, folder)
  } finally {
    await driver.destroy()
  }
}

async function savePostgres(driver: PostgresDriver, folder: string): Promise<SavedDatabase> {
  const file = join(folder, 'rows.jsonl')
  const migrations = await driver.withClient(async (client) => {
    const source = await postgresDump(client)
    try {
      const lines = async function* () {
        for await (const entry of dumpOf(source)) yield `${lineOf(entry)}\n`
      }
      await pipeline(lines, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
      return (await client.query<AppliedMigration>('select name, checksum from keeper_migrations order by name')).rows
    } finally {
      await source.close()
    }
  })
  return { engine: 'postgres', database: 'rows.jsonl', migrations, files: { 'rows.jsonl': await sumOf(file) } }
}

/** After the database, so that every file its rows name is there, were they added meanwhile or not. */
async function saveMedia(dataDir: string, folder: string, bring: BringMedia): Promise<Manifest['files']> {
  const from = join(dataDir, mediaFolder)
  await mkdir(join(folder, mediaFolder), { mode: 0o700 })
  if (!existsSync(from)) return {}
  const files: Manifest['files'] = {}
  const folders = new Set<string>()
  for (const path of await filesIn(from)) {
    if (unfinishedUpload.test(path)) continue
    const to = join(folder, mediaFolder, path)
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    try {
      files[`${mediaFolder}/${path}`] = await bring(join(from, path), to)
      folders.add(dirname(to))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      // Deleted since it was listed. What was begun of it would be a file that no manifest knows, and refuse the whole backup.
      await rm(to, { force: true })
    }
  }
  for (const each of folders) await syncFolder(each)
  return files
}
