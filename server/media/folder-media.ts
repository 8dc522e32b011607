import { createHash, randomBytes } from 'node:crypto'
import { statSync, unlinkSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { mediaFolder } from '#server/db/backup.ts'
import { syncFolder } from '#server/db/backup-archive.ts'
import { orDiskFull } from '#server/db/disk-full.ts'
import type { KeptMedia, MediaStore } from './media-store.ts'

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Names are 64 hex digits; unfinished files have a suffix. */
const isWhole = (name: string) => name.length === 64
/** Finished and unfinished files; anything else isn't ours. */
const ours = /^([0-9a-f]{64})(?:\.[0-9a-f]{12})?$/

export function mediaPath(dataDir: string, sha256: string): string {
  return join(dataDir, mediaFolder, sha256.slice(0, 2), sha256)
}

export class FolderMedia implements MediaStore {
  readonly #dataDir: string

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  async write(pieces: Pieces, now: Date): Promise<KeptMedia> {
    return this.spool(pieces, async (draft, kept) => {
      const path = this.pathOf(kept.sha256)
      if (await isThere(path, now)) return
      await this.#createFolder(dirname(path))
      await rename(draft, path)
      await syncFolder(dirname(path))
    })
  }

  /** Writes the chunks to a synced draft, calls `take` with its path, and deletes the draft unless it was moved. */
  async spool(pieces: Pieces, take: (draft: string, kept: KeptMedia) => Promise<void>): Promise<KeptMedia> {
    const hash = createHash('sha256')
    let bytes = 0
    // The final name is the hash, so a draft in the same folder is used, named so that the sweep recognizes it.
    const draft = `${this.pathOf(randomBytes(32).toString('hex'))}.${randomBytes(6).toString('hex')}`
    await this.#createFolder(dirname(draft))
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
      const kept = { sha256: hash.digest('hex'), bytes }
      await take(draft, kept)
      return kept
    } catch (error) {
      await file?.close()
      throw orDiskFull(error)
    } finally {
      await rm(draft, { force: true })
    }
  }

  async size(sha256: string): Promise<number | undefined> {
    try {
      return (await stat(this.pathOf(sha256))).size
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  async *read(sha256: string, start: number, end: number): AsyncGenerator<Buffer> {
    if (start >= end) return
    const file = await open(this.pathOf(sha256))
    try {
      yield* file.createReadStream({ start, end: end - 1, autoClose: false })
    } finally {
      await file.close()
    }
  }

  async *before(time: number): AsyncGenerator<string[]> {
    for await (const { old } of this.#listOld(time, isWhole)) if (old.length > 0) yield old
  }

  async removeUnfinished(time: number): Promise<void> {
    for await (const { folder, old } of this.#listOld(time, (name) => !isWhole(name)))
      for (const name of old) unlinkSync(join(folder, name))
  }

  async *#listOld(
    time: number,
    isWanted: (name: string) => boolean,
  ): AsyncGenerator<{ folder: string; old: string[] }> {
    for (const part of await namesIn(join(this.#dataDir, mediaFolder))) {
      if (!/^[0-9a-f]{2}$/.test(part)) continue
      const folder = join(this.#dataDir, mediaFolder, part)
      const names = (await namesIn(folder)).filter((name) => ours.test(name) && isWanted(name))
      yield { folder, old: names.filter((name) => isBefore(join(folder, name), time)) }
    }
  }

  // Synchronous: a file refreshed since it was listed must survive.
  async removeIfBefore(sha256: string, time: number): Promise<boolean> {
    const path = this.pathOf(sha256)
    if (!isBefore(path, time)) return false
    unlinkSync(path)
    return true
  }

  async isOf(): Promise<boolean> {
    return true
  }

  pathOf(sha256: string): string {
    return mediaPath(this.#dataDir, sha256)
  }

  async #createFolder(folder: string): Promise<void> {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (!made) return
    await syncFolder(dirname(folder))
    await syncFolder(this.#dataDir)
  }
}

async function writeWhole(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let from = 0; from < piece.byteLength; )
    from += (await file.write(piece, from, piece.byteLength - from)).bytesWritten
}

async function isThere(path: string, now: Date): Promise<boolean> {
  try {
    // Refreshed, so that no sweep takes it.
    await utimes(path, now, now)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

function isBefore(path: string, time: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.mtimeMs < time
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
