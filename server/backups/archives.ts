import { type Stats, statSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backup, BackupProblem } from '#contract/administration/backups.ts'
import { compareStrings } from '#contract/compare-strings.ts'
import { LruMap } from '#contract/lru-map.ts'
import { BackupRefused, listFilesRecursively, readManifest, syncFolder } from '#server/db/backup-archive.ts'
import type { Engine } from '#server/db/engine-driver.ts'
import { ignoreMissing, listNames } from '#server/db/file-system.ts'
import { Problem } from '#server/http/problem.ts'

export interface Archive {
  /** The name in `backups/`, without the extension of a single file. */
  id: string
  kind: Backup['kind']
  createdAt: number
  path: string
}

interface ArchiveSummary {
  /** From the manifest, in milliseconds; the name has only seconds. */
  createdAt: number | null
  bytes: number
  fileCount: number
  engine: Engine | null
  version: string | null
  hasMedia: boolean
  problem: BackupProblem | null
}

const archiveNamePattern =
  /^((keeper|nightly|before-restore|before-[\w-]+)-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z)(\.db)?$/
const kindByPrefix: Record<string, Archive['kind']> = {
  keeper: 'manual',
  nightly: 'scheduled',
  'before-restore': 'before-restore',
}

export const getBackupsFolder = (dataDir: string) => join(dataDir, 'backups')

/** Newest first. */
export async function listArchives(dataDir: string): Promise<Archive[]> {
  const folder = getBackupsFolder(dataDir)
  const archives = (await listNames(folder)).flatMap((name): Archive[] => {
    const [, id, prefix, ...parts] = archiveNamePattern.exec(name) ?? []
    if (id === undefined || prefix === undefined) return []
    const [year = 0, month = 0, ...time] = parts.slice(0, 6).map(Number)
    const createdAt = Date.UTC(year, month - 1, ...time)
    return [{ id, kind: kindByPrefix[prefix] ?? 'before-upgrade', createdAt, path: join(folder, name) }]
  })
  return archives.toSorted((left, right) => right.createdAt - left.createdAt || compareStrings(left.id, right.id))
}

/** @throws Problem 404 */
export async function requireArchive(dataDir: string, id: string): Promise<Archive> {
  const archive = (await listArchives(dataDir)).find((candidate) => candidate.id === id)
  if (!archive) throw new Problem('not-found', { message: 'This backup doesn’t exist. Someone may have deleted it.' })
  return archive
}

const maxSummaries = 500
const summaries = new LruMap<string, { modifiedAt: number; summary: ArchiveSummary }>(maxSummaries)

/** Reads the manifest, not the files. It can be megabytes, so summaries are cached. */
export async function summarizeArchive({ path }: Archive): Promise<ArchiveSummary> {
  const stats = await stat(path).catch(ignoreMissing)
  const manifestStats = stats?.isDirectory() ? await stat(join(path, 'manifest.json')).catch(ignoreMissing) : stats
  const modifiedAt = manifestStats?.mtimeMs ?? 0
  const cached = summaries.get(path)
  if (cached?.modifiedAt === modifiedAt) return cached.summary
  const summary = stats ? await readSummary(path, stats) : damagedSummary
  summaries.set(path, { modifiedAt, summary })
  return summary
}

const damagedSummary: ArchiveSummary = {
  createdAt: null,
  bytes: 0,
  fileCount: 0,
  engine: null,
  version: null,
  hasMedia: false,
  problem: 'damaged',
}

async function readSummary(path: string, stats: Stats): Promise<ArchiveSummary> {
  if (stats.isFile()) return { ...damagedSummary, bytes: stats.size, fileCount: 1, engine: 'sqlite', problem: null }
  try {
    const manifest = await readManifest(path)
    const files = Object.values(manifest.files)
    const isComplete =
      (await stat(join(path, manifest.database)).catch(ignoreMissing))?.size ===
      manifest.files[manifest.database]?.bytes
    return {
      createdAt: Date.parse(manifest.madeAt),
      bytes: files.reduce((total, file) => total + file.bytes, 0),
      fileCount: files.length,
      engine: manifest.engine,
      version: manifest.migrations.at(-1)?.name ?? null,
      hasMedia: manifest.media,
      problem: isComplete ? null : 'damaged',
    }
  } catch (error) {
    const bytes = await getFolderBytes(path)
    return { ...damagedSummary, bytes, problem: error instanceof BackupRefused ? error.reason : 'damaged' }
  }
}

async function getFolderBytes(folder: string): Promise<number> {
  const paths = await listFilesRecursively(folder).catch(() => [])
  return paths.reduce((total, path) => total + (statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** Renames first, so that a partly deleted backup never looks complete. */
export async function deleteArchive(dataDir: string, { path, id }: Archive): Promise<void> {
  const discardedPath = join(getBackupsFolder(dataDir), `${id}.unfinished`)
  await rename(path, discardedPath)
  await syncFolder(getBackupsFolder(dataDir))
  await rm(discardedPath, { recursive: true, force: true })
}
