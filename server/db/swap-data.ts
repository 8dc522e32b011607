import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { stamp, syncFolder } from './backup-archive.ts'
import { sqliteFiles } from './sqlite-files.ts'

/**
 * Puts what is staged (a folder in the data folder) in place of what has the same names in the data folder, by renames only;
 * a marker keeps Keeper from starting in between. Answers where the old data lies; undefined when there was none, or nothing was staged.
 */
export async function swapData(staged: string, dataDir: string, now: Date): Promise<string | undefined> {
  const names = await readdir(staged)
  if (names.length === 0) return undefined
  const aside = await asideFor(dataDir, staged, now)
  const { restoring } = sqliteFiles(dataDir)
  await writeFile(restoring, '', { flush: true })
  for (const name of names.flatMap((name) => withLog(name, dataDir))) {
    await moveIfThere(join(dataDir, name), join(aside, name))
  }
  for (const name of names) await rename(join(staged, name), join(dataDir, name))
  await syncFolder(aside)
  await syncFolder(dataDir)
  await rm(restoring)
  if ((await readdir(aside)).length > 0) return aside
  await rmdir(aside)
  return undefined
}

// A database's log goes where it goes: beside another database it would be played into that one.
function withLog(name: string, dataDir: string): string[] {
  const isDatabase = name === basename(sqliteFiles(dataDir).database)
  return isDatabase ? ['', '-wal', '-shm', '-journal'].map((suffix) => name + suffix) : [name]
}

/** Beside the data folder; inside when that is a mount of its own, out of which nothing can be renamed. */
async function asideFor(dataDir: string, staged: string, now: Date): Promise<string> {
  const name = `before-restore-${stamp(now)}`
  const beside = `${resolve(dataDir)}.${name}`
  const probe = join(staged, 'probe')
  try {
    await mkdir(beside, { mode: 0o700 })
    await mkdir(probe)
    await rename(probe, join(beside, 'probe'))
    await rmdir(join(beside, 'probe'))
    return beside
  } catch {
    await rmdir(probe).catch(() => {})
    await rmdir(beside).catch(() => {})
    const inside = join(dataDir, name)
    await mkdir(inside, { mode: 0o700 })
    return inside
  }
}

async function moveIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}
