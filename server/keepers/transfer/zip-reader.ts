import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Problem } from '#server/http/problem.ts'

/** More names than ten years of pictures; past it a zip is taken for a trap. */
const mostEntries = 200_000
/** Of all names, comments and extra fields together: they are held in memory. */
const mostListBytes = 64 * 1024 * 1024

/** A zip on the disk. Names in it are looked up, never used as paths. */
export class ZipReader {
  readonly #zip: ZipFile
  readonly #entries: Map<string, Entry>

  private constructor(zip: ZipFile, entries: Map<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** @throws Problem 422 for a file that is no zip, or one with too many names */
  static async open(path: string): Promise<ZipReader> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: Error) => {
      throw new Problem('unprocessable', { message: 'This file is no zip, or it is damaged.', cause: error })
    })
    const entries = new Map<string, Entry>()
    try {
      let listBytes = 0
      let count = 0
      for await (const entry of zip.eachEntry()) {
        listBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
        if (listBytes > mostListBytes)
          throw new Problem('unprocessable', { message: 'This zip is damaged: the names in it are too long.' })
        if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
        // Folders and names that come twice count too: each takes time to read.
        count += 1
        if (count > mostEntries)
          throw new Problem('unprocessable', { message: `This zip holds more than ${mostEntries} files.` })
      }
    } catch (error) {
      zip.close()
      if (error instanceof Problem) throw error
      throw new Problem('unprocessable', {
        message: 'This zip is damaged: its list of files cannot be read.',
        cause: error,
      })
    }
    return new ZipReader(zip, entries)
  }

  get names(): string[] {
    return [...this.#entries.keys()]
  }

  /** Bytes when unpacked, as the zip says it; undefined when it is not there. */
  sizeOf(name: string): number | undefined {
    return this.#entries.get(name)?.uncompressedSize
  }

  /** Fails when there is more in it than it says. @throws Error when it is not there */
  async stream(name: string): Promise<Readable> {
    const entry = this.#entries.get(name)
    if (!entry) throw new Error(`${name} is not in the zip`)
    return this.#zip.openReadStreamPromise(entry)
  }

  /**
   * @param look sees each piece before it is kept; a Problem it throws is thrown on
   * @throws Problem 422 when it is longer than `mostBytes` or cannot be unpacked
   */
  async text(name: string, mostBytes: number, look?: (piece: Buffer) => void): Promise<string> {
    const size = this.sizeOf(name) ?? 0
    if (size > mostBytes) {
      const most = Math.floor(mostBytes / 1024 / 1024)
      throw new Problem('unprocessable', { message: `${name} is larger than ${most} MB and cannot be read at once.` })
    }
    try {
      const pieces: Buffer[] = []
      for await (const piece of (await this.stream(name)) as AsyncIterable<Buffer>) {
        look?.(piece)
        pieces.push(piece)
      }
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
    } catch (error) {
      if (error instanceof Problem) throw error
      throw new Problem('unprocessable', { message: `${name} in the zip is damaged.`, cause: error })
    }
  }

  close(): void {
    this.#zip.close()
  }
}
