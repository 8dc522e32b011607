import { statSync } from 'node:fs'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { mediaFolder } from '#server/db/backup.ts'
import { getSqliteFiles } from '#server/db/sqlite-files.ts'
import type { Services } from '#server/services.ts'
import { getBackupsFolder } from './archives.ts'

interface BackupSizes {
  databaseBytes: number
  mediaBytes: number
  /** Disk space of one more backup: linked media take none. */
  copyBytes: number
  /** Free space that a backup requires: for the copy, and twice the database for Keeper to keep writing. */
  neededBytes: number
}

export async function measureBackup({ db, settings }: Pick<Services, 'db' | 'settings'>): Promise<BackupSizes> {
  const [databaseBytes, mediaBytes] = await Promise.all([
    db.engine === 'sqlite' ? getSqliteBytes(settings.dataDir) : getPostgresBytes(db),
    settings.bucket ? 0 : getMediaBytes(db),
  ])
  const areMediaCopied = mediaBytes > 0 && !(await canLinkMedia(settings.dataDir))
  const copyBytes = databaseBytes + (areMediaCopied ? mediaBytes : 0)
  return { databaseBytes, mediaBytes, copyBytes, neededBytes: copyBytes + 2 * databaseBytes }
}

function getSqliteBytes(dataDir: string): number {
  const { database } = getSqliteFiles(dataDir)
  const sizes = [database, `${database}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  return sizes.reduce((total, size) => total + size, 0)
}

async function getPostgresBytes(db: Services['db']): Promise<number> {
  const [row] = await db.longRead(sql<{ bytes: number | string }>`select pg_database_size(current_database()) as bytes`)
  return Number(row?.bytes ?? 0)
}

async function getMediaBytes(db: Services['db']): Promise<number> {
  const [row] = await db.longRead(
    db.selectFrom('media').select(({ fn }) => [fn.sum<number | string | null>('bytes').as('bytes')]),
  )
  return Number(row?.bytes ?? 0)
}

const linkableFolders = new Map<string, Promise<boolean>>()

/** Whether a backup can hard-link the media instead of copying them. */
function canLinkMedia(dataDir: string): Promise<boolean> {
  const cached = linkableFolders.get(dataDir)
  if (cached) return cached
  const probe = probeLink(dataDir)
  linkableFolders.clear()
  linkableFolders.set(dataDir, probe)
  return probe
}

async function probeLink(dataDir: string): Promise<boolean> {
  const from = join(dataDir, mediaFolder, '.link-probe')
  const to = join(getBackupsFolder(dataDir), '.link-probe')
  try {
    await mkdir(getBackupsFolder(dataDir), { recursive: true, mode: 0o700 })
    await writeFile(from, '', { mode: 0o600 })
    await rm(to, { force: true })
    await link(from, to)
    return true
  } catch {
    return false
  } finally {
    await Promise.all([from, to].map((path) => rm(path, { force: true }).catch(() => undefined)))
  }
}
