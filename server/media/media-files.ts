import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { mediaFolder } from '#server/db/backup.ts'
import { syncFolder } from '#server/db/backup-archive.ts'
import { DiskFull } from '#server/db/database-errors.ts'

/** Where bytes lie in the data folder: under their SHA-256 (hexadecimal), so that the same bytes lie there once. */
export function mediaPath(dataDir: string, sha256: string): string {
  return join(dataDir, mediaFolder, sha256.slice(0, 2), sha256)
}

/** Writes the bytes if they are not there yet. They are on the disk, under their whole name, when this returns their SHA-256. */
export async function writeMedia(dataDir: string, bytes: Uint8Array, now: Date): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  // Young again, so that no sweep takes them before their new row is written.
  if (await isThere(mediaPath(dataDir, sha256), now)) return sha256
  return (await writeMediaStream(dataDir, [bytes], now)).sha256
}

/**
 * The same for bytes that come one piece after the other, however many: they are never in memory together. What
 * `pieces` throws is thrown on, and leaves nothing behind.
 */
export async function writeMediaStream(
  dataDir: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  now: Date,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  // Beside the others, under a name the sweep knows, until their own name is known.
  const draft = `${mediaPath(dataDir, randomBytes(32).toString('hex'))}.${randomBytes(6).toString('hex')}`
  await makeFolder(dataDir, dirname(draft))
  let file: FileHandle | undefined
  try {
    file = await open(draft, 'wx', 0o600)
    for await (const piece of pieces) {
      hash.update(piece)
      bytes += piece.byteLength
      await writeWhole(file, piece)
    }
    await file.sync()
    await file.close()
    file = undefined
    const sha256 = hash.digest('hex')
    const path = mediaPath(dataDir, sha256)
    if (await isThere(path, now)) {
      await rm(draft, { force: true })
      return { sha256, bytes }
    }
    await makeFolder(dataDir, dirname(path))
    await rename(draft, path)
    await syncFolder(dirname(path))
    return { sha256, bytes }
  } catch (error) {
    await file?.close()
    await rm(draft, { force: true })
    throw isDiskFull(error) ? new DiskFull(error.message, { cause: error }) : error
  }
}

async function writeWhole(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let from = 0; from < piece.byteLength; )
    from += (await file.write(piece, from, piece.byteLength - from)).bytesWritten
}

async function makeFolder(dataDir: string, folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!made) return
  await syncFolder(dirname(folder))
  await syncFolder(dataDir)
}

function isDiskFull(error: unknown): error is Error {
  return error instanceof Error && ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
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
