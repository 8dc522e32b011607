import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { BackupRefused, formatTimestamp, syncFolder } from './backup-archive.ts'
import { getSqliteFiles } from './sqlite-files.ts'

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
export async function assertSameDisk(folder: string, dataDir: string): Promise<void> {
  const folderStats = await stat(folder).catch(ignoreMissing)
  if (!folderStats || folderStats.dev === (await stat(dataDir)).dev) return
  throw new BackupRefused(
    `${folder} is on a different disk than ${dataDir}, so it can’t be moved. Unmount it (or remove the link), restore, then move the restored contents of ${folder} to that disk.`,
  )
}

// A database's log moves with it: next to another database, it would be replayed into that one.
function listFilesWithLogs(name: string, dataDir: string): string[] {
  const isDatabase = name === basename(getSqliteFiles(dataDir).database)
  return isDatabase ? ['', '-wal', '-shm', '-journal'].map((suffix) => name + suffix) : [name]
}

/** Next to the data folder, or inside it if it is a mount point, out of which nothing can be renamed. */
async function createOldDataFolder(dataDir: string, stagingDir: string, now: Date): Promise<string> {
  const name = `before-restore-${formatTimestamp(now)}`
  const sibling = `${resolve(dataDir)}.${name}`
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
    const innerFolder = join(dataDir, name)
    await mkdir(innerFolder, { mode: 0o700 })
    return innerFolder
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
