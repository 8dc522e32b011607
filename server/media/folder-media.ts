import { createHash, randomBytes } from 'node:crypto'
import { statSync, unlinkSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { mediaFolder } from '#server/db/backup.ts'
import { syncFolder } from '#server/db/backup-archive.ts'
import { ignoreMissing, listNames } from '#server/db/file-system.ts'
import { mapDiskFull } from '#server/db/sqlite-failures.ts'
import type { MediaStore, StoredMedia } from './media-store.ts'

type ByteChunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

const isFinishedName = (name: string) => name.length === 64
const shardName = /^[0-9a-f]{2}$/
const mediaFileName = /^([0-9a-f]{64})(?:\.[0-9a-f]{12})?$/

export function getMediaPath(dataDir: string, sha256: string): string {
  return join(dataDir, mediaFolder, sha256.slice(0, 2), sha256)
}

export class FolderMedia implements MediaStore {
  readonly #dataDir: string

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  async write(chunks: ByteChunks, now: Date): Promise<StoredMedia> {
    return this.spool(chunks, async (tempPath, stored) => {
      const path = this.getPath(stored.sha256)
      const exists = await utimes(path, now, now).then(() => true, ignoreMissing)
      if (exists) return
      await this.#createFolder(dirname(path))
      await rename(tempPath, path)
      await syncFolder(dirname(path))
    })
  }

  async spool(
    chunks: ByteChunks,
    onWritten: (tempPath: string, stored: StoredMedia) => Promise<void>,
  ): Promise<StoredMedia> {
    const hash = createHash('sha256')
    let bytes = 0
    // The final name is the hash, so bytes are first written under a temporary name that the sweep recognizes.
    const tempPath = `${this.getPath(randomBytes(32).toString('hex'))}.${randomBytes(6).toString('hex')}`
    await this.#createFolder(dirname(tempPath))
    let file: FileHandle | undefined
    try {
      file = await open(tempPath, 'wx', 0o600)
      for await (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.byteLength
        await writeFully(file, chunk)
      }
      await file.sync()
      await file.close()
      file = undefined
      const stored = { sha256: hash.digest('hex'), bytes }
      await onWritten(tempPath, stored)
      return stored
    } catch (error) {
      await file?.close()
      throw mapDiskFull(error)
    } finally {
      await rm(tempPath, { force: true })
    }
  }

  async getSize(sha256: string): Promise<number | undefined> {
    return (await stat(this.getPath(sha256)).catch(ignoreMissing))?.size
  }

  async *read(sha256: string, start: number, end: number): AsyncGenerator<Buffer> {
    if (start >= end) return
    const file = await open(this.getPath(sha256))
    try {
      yield* file.createReadStream({ start, end: end - 1, autoClose: false })
    } finally {
      await file.close()
    }
  }

  async *listOlderThan(time: number): AsyncGenerator<string[]> {
    for await (const { oldNames } of this.#listOld(time, isFinishedName)) if (oldNames.length > 0) yield oldNames
  }

  async removeUnfinished(time: number): Promise<void> {
    for await (const { folder, oldNames } of this.#listOld(time, (name) => !isFinishedName(name)))
      for (const name of oldNames) unlinkSync(join(folder, name))
  }

  async *#listOld(
    time: number,
    isIncluded: (name: string) => boolean,
  ): AsyncGenerator<{ folder: string; oldNames: string[] }> {
    for (const shard of await listNames(join(this.#dataDir, mediaFolder))) {
      if (!shardName.test(shard)) continue
      const folder = join(this.#dataDir, mediaFolder, shard)
      const names = (await listNames(folder)).filter((name) => mediaFileName.test(name) && isIncluded(name))
      yield { folder, oldNames: names.filter((name) => isOlder(join(folder, name), time)) }
    }
  }

  // Synchronous: a file refreshed since it was listed must survive.
  async removeIfOlder(sha256: string, time: number): Promise<boolean> {
    const path = this.getPath(sha256)
    if (!isOlder(path, time)) return false
    unlinkSync(path)
    return true
  }

  async isOwnedBy(): Promise<boolean> {
    return true
  }

  getPath(sha256: string): string {
    return getMediaPath(this.#dataDir, sha256)
  }

  async #createFolder(folder: string): Promise<void> {
    const created = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (!created) return
    await syncFolder(dirname(folder))
    await syncFolder(this.#dataDir)
  }
}

async function writeFully(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let writtenBytes = 0; writtenBytes < chunk.byteLength; )
    writtenBytes += (await file.write(chunk, writtenBytes, chunk.byteLength - writtenBytes)).bytesWritten
}

function isOlder(path: string, time: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && stats.mtimeMs < time
}
