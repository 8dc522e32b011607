import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { BackupRefused, formatTimestamp, syncFolder } from './backup-archive.ts'
import { sqliteFiles } from './sqlite-files.ts'

/** Replaces data by renames only, and undoes them on failure; a marker keeps Keeper from starting in between. Returns the path of the old data, if any. */
export async function swapData(staged: string, dataDir: string, now: Date): Promise<string | undefined> {
  const names = await readdir(staged)
  if (names.length === 0) return undefined
  const oldDataPath = await createOldDataFolder(dataDir, staged, now)
  const { restoring } = sqliteFiles(dataDir)
  await writeFile(restoring, '', { flush: true })
  const moved: { from: string; to: string }[] = []
  const move = async (from: string, to: string) => {
    await rename(from, to)
    moved.push({ from, to })
  }
  try {
    for (const name of names.flatMap((name) => withLog(name, dataDir))) {
      await move(join(dataDir, name), join(oldDataPath, name)).catch(unlessMissing)
    }
    for (const name of names) await move(join(staged, name), join(dataDir, name))
  } catch (error) {
    for (const { from, to } of moved.toReversed()) await rename(to, from)
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
export async function refuseOtherDisk(folder: string, dataDir: string): Promise<void> {
  const there = await stat(folder).catch(unlessMissing)
  if (!there || there.dev === (await stat(dataDir)).dev) return
  throw new BackupRefused(
    `${folder} is on a different disk than ${dataDir}, so it can’t be moved. Unmount it (or remove the link), restore, then move the restored contents of ${folder} to that disk.`,
  )
}

// A database's log moves with it: next to another database, it would be replayed into that one.
function withLog(name: string, dataDir: string): string[] {
  const isDatabase = name === basename(sqliteFiles(dataDir).database)
  return isDatabase ? ['', '-wal', '-shm', '-journal'].map((suffix) => name + suffix) : [name]
}

/** Next to the data folder, or inside it if it is a mount point, out of which nothing can be renamed. */
async function createOldDataFolder(dataDir: string, staged: string, now: Date): Promise<string> {
  const name = `before-restore-${formatTimestamp(now)}`
  const sibling = `${resolve(dataDir)}.${name}`
  const probe = join(staged, 'probe')
  try {
    await mkdir(sibling, { mode: 0o700 })
    await mkdir(probe)
    await rename(probe, join(sibling, 'probe'))
    await rmdir(join(sibling, 'probe'))
    return sibling
  } catch {
    await rmdir(probe).catch(() => {})
    await rmdir(sibling).catch(() => {})
    const inside = join(dataDir, name)
    await mkdir(inside, { mode: 0o700 })
    return inside
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
