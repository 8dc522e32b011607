import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { Problem } from '#server/http/problem.ts'

/** More names than ten years of pictures; a larger zip counts as hostile. */
const maxEntries = 200_000
/** Names, comments and extra fields together, which are in memory. */
const maxListBytes = 64 * 1024 * 1024

async function explainNoZip(path: string): Promise<string> {
  const head = await readFirstBytes(path)
  return /^\s*[{[]/.test(head)
    ? 'This is a JSON file. Pack it with the folders beside it, such as photos, into a zip: for Day One, pack Journal.json with its folders into a zip.'
    : 'This isn’t a zip file, or it’s damaged. Choose the .zip you exported.'
}

async function readFirstBytes(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64), position: 0 })
    return buffer
      .subarray(0, bytesRead)
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, '')
  } finally {
    await file.close()
  }
}

/** Left behind by file managers, at any depth. */
function isSystemFile(name: string): boolean {
  const parts = name.split('/')
  const base = parts.at(-1) ?? ''
  return parts[0] === '__MACOSX' || base.startsWith('._') || ['.DS_Store', 'Thumbs.db', 'desktop.ini'].includes(base)
}

/** Unpacking and packing again puts a folder around everything. */
function removeWrapper(entries: Map<string, Entry>): Map<string, Entry> {
  const [first] = entries.keys()
  const wrapper = first?.slice(0, first.indexOf('/') + 1)
  if (!wrapper || ![...entries.keys()].every((name) => name.startsWith(wrapper))) return entries
  return removeWrapper(new Map([...entries].map(([name, entry]) => [name.slice(wrapper.length), entry])))
}

/** Names are normalized (NFC), without a folder around everything, only looked up and never used as paths. */
export class ZipReader {
  readonly #zip: ZipFile
  readonly #entries: Map<string, Entry>

  private constructor(zip: ZipFile, entries: Map<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** @throws Problem 422 for a file that isn't a zip or has too many names */
  static async open(path: string): Promise<ZipReader> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(async (error: Error) => {
      throw new Problem('unprocessable', { message: await explainNoZip(path), cause: error })
    })
    const entries = new Map<string, Entry>()
    try {
      let listBytes = 0
      let entryCount = 0
      for await (const entry of zip.eachEntry()) {
        listBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
        if (listBytes > maxListBytes)
          throw new Problem('unprocessable', { message: 'This zip is damaged: its file names are too long.' })
        if (!entry.fileName.endsWith('/') && !isSystemFile(entry.fileName))
          entries.set(entry.fileName.normalize('NFC'), entry)
        // Folders and duplicates count too: each takes time to read.
        entryCount += 1
        if (entryCount > maxEntries)
          throw new Problem('unprocessable', { message: `This zip contains more than ${maxEntries} files.` })
      }
    } catch (error) {
      zip.close()
      if (error instanceof Problem) throw error
      throw new Problem('unprocessable', {
        message: 'This zip is damaged: its list of files can’t be read.',
        cause: error,
      })
    }
    return new ZipReader(zip, removeWrapper(entries))
  }

  get names(): string[] {
    return [...this.#entries.keys()]
  }

  /** Declared unpacked bytes; undefined for an unknown name. */
  getSize(name: string): number | undefined {
    return this.#entries.get(name)?.uncompressedSize
  }

  /** Fails beyond the declared size. @throws Error for an unknown name */
  async openStream(name: string): Promise<Readable> {
    const entry = this.#entries.get(name)
    if (!entry) throw new Error(`${name} is not in the zip`)
    return this.#zip.openReadStreamPromise(entry)
  }

  /** The first bytes of a file; empty for an unknown name. */
  async head(name: string, maxBytes: number): Promise<Buffer> {
    if (!this.#entries.has(name)) return Buffer.alloc(0)
    const stream = await this.openStream(name)
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= maxBytes) break
    }
    return Buffer.concat(chunks).subarray(0, maxBytes)
  }

  /** @param inspect checks each chunk before it is collected; its Problem is rethrown
   * @throws Problem 422 when it is longer than `maxBytes` or damaged */
  async readText(name: string, maxBytes: number, inspect?: (chunk: Buffer) => void): Promise<string> {
    const size = this.getSize(name) ?? 0
    if (size > maxBytes) {
      const maxMegabytes = Math.floor(maxBytes / 1024 / 1024)
      throw new Problem('unprocessable', {
        message: `${name} is larger than ${maxMegabytes} MB, which is too large to read.`,
      })
    }
    try {
      const chunks: Buffer[] = []
      for await (const chunk of (await this.openStream(name)) as AsyncIterable<Buffer>) {
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
