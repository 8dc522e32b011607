import { randomUUID } from 'node:crypto'
import { close, createWriteStream, open, read } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { maxImportBytes } from '#contract/keepers/transfer.ts'
import { Problem } from '#server/http/problem.ts'

export interface ZippedFile {
  zip: ZipFile
  entry: Entry
}

const partName = /^[^/]{0,300}part-?\d{1,3}\.zip$/i
const maxParts = 100
/** Zips inside a zip hardly compress; only long lists of names and hostile files compress more. */
const maxShrinkage = 20

/** Large exports come as a zip that holds only zips numbered “Part-1”, “Part-2”. */
export function listParts(files: ReadonlyMap<string, ZippedFile>): ZippedFile[] {
  return files.size <= maxParts && [...files.keys()].every((name) => partName.test(name)) ? [...files.values()] : []
}

/** A stored part is read in place, a compressed one from a temporary copy that is deleted when it is closed.
 * @throws Problem 422 for a part that would unpack to far more than its size */
export async function openPart({ zip, entry }: ZippedFile, path: string): Promise<ZipFile> {
  const { compressedSize, uncompressedSize } = entry
  if (entry.compressionMethod === 0) {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    return openRange(await openFile(path, 'r', 0), fileDataStart, uncompressedSize)
  }
  if (uncompressedSize > Math.min(compressedSize * maxShrinkage, maxImportBytes))
    throw new Problem('unprocessable', { message: `${entry.fileName} in this zip unpacks to far more than its size.` })
  const copy = `${path}.${randomUUID()}`
  const fd = await openFile(copy, 'wx+', 0o600)
  try {
    // Open files outlive their name, so that nothing is left behind even after a crash.
    await rm(copy)
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream('', { fd, autoClose: false }))
  } catch (error) {
    await closeFile(fd)
    throw error
  }
  return openRange(fd, 0, uncompressedSize)
}

const openFile = promisify<string, string, number, number>(open as never)
const closeFile = promisify(close)
const readFile = promisify(read)
const chunkBytes = 64 * 1024

async function openRange(fd: number, start: number, size: number): Promise<ZipFile> {
  const range = new FileRange(fd, start)
  try {
    return await fromRandomAccessReaderPromise(range, size, { lazyEntries: true, autoClose: false })
  } catch (error) {
    await closeFile(fd).catch(() => undefined)
    throw error
  }
}

class FileRange extends RandomAccessReader {
  readonly #fd: number
  readonly #start: number

  constructor(fd: number, start: number) {
    super()
    this.#fd = fd
    this.#start = start
  }

  /** Not a stream of the file system, which would close the file when it is destroyed. */
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#readChunks(start, end), { objectMode: false })
  }

  async *#readChunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const chunk = Buffer.allocUnsafe(Math.min(end - at, chunkBytes))
      const { bytesRead } = await readFile(this.#fd, chunk, 0, chunk.length, this.#start + at)
      if (bytesRead === 0) return
      yield chunk.subarray(0, bytesRead)
      at += bytesRead
    }
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    read(this.#fd, buffer, offset, length, this.#start + position, (error, bytesRead) => {
      done(error ?? (bytesRead < length ? new Error('The file ends too early') : null))
    })
  }

  override close(done: (error: Error | null) => void): void {
    close(this.#fd, (error) => done(error ?? null))
  }
}
