import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { mediaFolder } from '#server/db/backup.ts'
import { syncFolder } from '#server/db/backup-archive.ts'

/** Where bytes lie in the data folder: under their SHA-256 (hexadecimal), so that the same bytes lie there once. */
export function mediaPath(dataDir: string, sha256: string): string {
  return join(dataDir, mediaFolder, sha256.slice(0, 2), sha256)
}

/** Writes the bytes if they are not there yet. They are on the disk, under their whole name, when this returns their SHA-256. */
export async function writeMedia(dataDir: string, bytes: Uint8Array, now: Date): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const path = mediaPath(dataDir, sha256)
  // Young again, so that no sweep takes them before their new row is written.
  if (await isThere(path, now)) return sha256
  const folder = dirname(path)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, bytes, { flag: 'wx', mode: 0o600, flush: true })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(folder)
  if (made) {
    await syncFolder(dirname(folder))
    await syncFolder(dataDir)
  }
  return sha256
}

async function isThere(path: string, now: Date): Promise<boolean> {
  try {
    await utimes(path, now, now)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** How many bytes lie there; undefined when they do not. */
export async function sizeOfMedia(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
