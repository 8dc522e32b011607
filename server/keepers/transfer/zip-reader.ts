import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Problem } from '#server/http/problem.ts'

/** More names than ten years of pictures; a larger zip counts as hostile. */
const maxEntries = 200_000
/** Names, comments and extra fields together, which are in memory. */
const maxListBytes = 64 * 1024 * 1024

/** Names are only looked up, never used as paths. */
export class ZipReader {
  readonly #zip: ZipFile
  readonly #entries: Map<string, Entry>

  private constructor(zip: ZipFile, entries: Map<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** @throws Problem 422 for a file that isn't a zip or has too many names */
  static async open(path: string): Promise<ZipReader> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: Error) => {
      throw new Problem('unprocessable', {
        message: "This isn't a zip file, or it's damaged. Choose the .zip you exported.",
        cause: error,
      })
    })
    const entries = new Map<string, Entry>()
    try {
      let listBytes = 0
      let count = 0
      for await (const entry of zip.eachEntry()) {
        listBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
        if (listBytes > maxListBytes)
          throw new Problem('unprocessable', { message: 'This zip is damaged: the names in it are too long.' })
        if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
        // Folders and duplicates count too: each takes time to read.
        count += 1
        if (count > maxEntries)
          throw new Problem('unprocessable', { message: `This zip contains more than ${maxEntries} files.` })
      }
    } catch (error) {
      zip.close()
      if (error instanceof Problem) throw error
      throw new Problem('unprocessable', {
        message: "This zip is damaged: its list of files can't be read.",
        cause: error,
      })
    }
    return new ZipReader(zip, entries)
  }

  get names(): string[] {
    return [...this.#entries.keys()]
  }

  /** Declared unpacked bytes; undefined for an unknown name. */
  getSize(name: string): number | undefined {
    return this.#entries.get(name)?.uncompressedSize
  }

  /** Fails beyond the declared size. @throws Error for an unknown name */
  async stream(name: string): Promise<Readable> {
    const entry = this.#entries.get(name)
    if (!entry) throw new Error(`${name} is not in the zip`)
    return this.#zip.openReadStreamPromise(entry)
  }

  /** @param inspect checks each chunk before it is collected; its Problem is rethrown
   * @throws Problem 422 when it is longer than `maxBytes` or damaged */
  async text(name: string, maxBytes: number, inspect?: (chunk: Buffer) => void): Promise<string> {
    const size = this.getSize(name) ?? 0
    if (size > maxBytes) {
      const maxMegabytes = Math.floor(maxBytes / 1024 / 1024)
      throw new Problem('unprocessable', {
        message: `${name} is larger than ${maxMegabytes} MB, which is too large to read.`,
      })
    }
    try {
      const chunks: Buffer[] = []
      for await (const chunk of (await this.stream(name)) as AsyncIterable<Buffer>) {
        inspect?.(chunk)
        chunks.push(chunk)
      }
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    } catch (error) {
      if (error instanceof Problem) throw error
      throw new Problem('unprocessable', { message: `${name} in the zip is damaged.`, cause: error })
    }
  }

  close(): void {
    this.#zip.close()
  }
}
