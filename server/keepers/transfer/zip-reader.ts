import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  openPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl'
import { getInstant } from '#contract/keepers/local-time.ts'
import { maxImportBytes } from '#contract/keepers/transfer.ts'
import { Problem } from '#server/http/problem.ts'

/** Enough for ten years of pictures; a zip with more names is treated as hostile. */
const maxEntries = 200_000
/** Names, comments and extra fields together, which are in memory. */
const maxListBytes = 64 * 1024 * 1024

async function explainInvalidZip(path: string): Promise<string> {
  const head = await readFileStart(path)
  return /^\s*[{[]/.test(head)
    ? 'This is a JSON file. Pack it into a zip together with the folders next to it: for Day One, Journal.json with photos, videos, audios and pdfs.'
    : 'This isn’t a zip file, or it’s damaged. Choose the .zip you exported, or pack the file you exported into a .zip.'
}

async function readFileStart(path: string): Promise<string> {
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

/** A zip that was unpacked and zipped again has everything in one folder. */
function removeWrapper(files: Map<string, ZippedFile>): Map<string, ZippedFile> {
  const [first] = files.keys()
  const wrapper = first?.slice(0, first.indexOf('/') + 1)
  if (!wrapper || ![...files.keys()].every((name) => name.startsWith(wrapper))) return files
  return removeWrapper(new Map([...files].map(([name, file]) => [name.slice(wrapper.length), file])))
}

/** Bytes and entries of the file lists of all zips together, including nested ones. */
interface ListTotals {
  bytes: number
  count: number
}

async function listFiles(zip: ZipFile, totals: ListTotals): Promise<Map<string, ZippedFile>> {
  const files = new Map<string, ZippedFile>()
  for await (const entry of zip.eachEntry()) {
    totals.bytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    if (totals.bytes > maxListBytes)
      throw new Problem('unprocessable', { message: 'This zip is damaged: its file names are too long.' })
    const name = decodeFileName(entry)
    if (!name.endsWith('/') && !isSystemFile(name)) files.set(name.normalize('NFC'), { zip, entry })
    // Folders and duplicates count too, because reading each takes time.
    totals.count += 1
    if (totals.count > maxEntries)
      throw new Problem('unprocessable', { message: `This zip contains more than ${maxEntries} files.` })
  }
  return files
}

const utf8Flag = 0x800

/** The Finder and Info-ZIP write names in UTF-8 without the flag that says so. */
function decodeFileName({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const flags = isUtf8(fileNameRaw) ? generalPurposeBitFlag | utf8Flag : generalPurposeBitFlag
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, false)
}

/** Extra fields with the time in UTC; without one, it is in the time zone where the zip was made. */
const utcTimeFields = new Set([0x5455, 0x000a])
/** An unknown time is stored as January 1, 1980, so earlier times than this count as unknown. */
const minZipTime = Date.UTC(1980, 0, 2)

/**
 * Names are normalized (NFC), without a folder around everything, and never used as paths. If a zip contains only
 * numbered parts, its files are the files of those parts.
 */
export class ZipReader {
  readonly #zips: ZipFile[]
  readonly #files: Map<string, ZippedFile>

  private constructor(zips: ZipFile[], files: Map<string, ZippedFile>) {
    this.#zips = zips
    this.#files = files
  }

  /** @throws Problem 422 for a file that isn't a zip or has too many names */
  static async open(path: string): Promise<ZipReader> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(async (error: Error) => {
      throw new Problem('unprocessable', { message: await explainInvalidZip(path), cause: error })
    })
    const zips = [zip]
    try {
      const totals = { bytes: 0, count: 0 }
      const files = removeWrapper(await listFiles(zip, totals))
      const parts = listParts(files)
      if (parts.length === 0) return new ZipReader(zips, files)
      const partFiles = new Map<string, ZippedFile>()
      for (const part of parts) {
        const opened = await openPart(part, path)
        zips.push(opened)
        for (const [name, file] of await listFiles(opened, totals)) partFiles.set(name, file)
      }
      return new ZipReader(zips, removeWrapper(partFiles))
    } catch (error) {
      for (const opened of zips) opened.close()
      if (error instanceof Problem) throw error
      throw new Problem('unprocessable', {
        message: 'This zip is damaged: its list of files can’t be read.',
        cause: error,
      })
    }
  }

  get names(): string[] {
    return [...this.#files.keys()]
  }

  /** Sorted names that match. */
  list(pattern: RegExp): string[] {
    return this.names.filter((name) => pattern.test(name)).sort()
  }

  /** Declared unpacked bytes; undefined for an unknown name. */
  getSize(name: string): number | undefined {
    return this.#files.get(name)?.entry.uncompressedSize
  }

  /** When the file was last changed (ms); undefined where the zip does not say.
   * @param timezone where the zip was made, for those that hold local times */
  getModifiedAt(name: string, timezone: string): number | undefined {
    const entry = this.#files.get(name)?.entry
    const date = entry?.getLastModDate({ timezone: 'UTC' })
    if (!entry || !date || Number.isNaN(date.getTime()) || date.getTime() < minZipTime) return undefined
    if (entry.extraFields.some(({ id }) => utcTimeFields.has(id))) return date.getTime()
    const [day = '', time = ''] = date.toISOString().slice(0, 19).split('T')
    return getInstant(timezone, day, time)
  }

  /** Equal for files with equal bytes, without reading them. */
  getFingerprint(name: string): string {
    const entry = this.#files.get(name)?.entry
    return entry ? `${entry.crc32.toString(16)}-${entry.uncompressedSize.toString(16)}` : ''
  }

  /** Fails beyond the declared size. @throws Error for an unknown name */
  async openStream(name: string): Promise<Readable> {
    const file = this.#files.get(name)
    if (!file) throw new Error(`${name} is not in the zip`)
    return file.zip.openReadStreamPromise(file.entry)
  }

  /** The first bytes of a file; empty for an unknown name. */
  async readFirstBytes(name: string, maxBytes: number): Promise<Buffer> {
    if (!this.#files.has(name)) return Buffer.alloc(0)
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

  /** The beginning of a text, without a byte order mark. */
  async readHead(name: string, maxBytes = 64 * 1024): Promise<string> {
    return new TextDecoder().decode(await this.readFirstBytes(name, maxBytes))
  }

  /** Whether the beginning of any of the files passes the test. */
  async someHeadMatches(
    names: readonly string[],
    test: (head: string) => boolean,
    maxBytes?: number,
  ): Promise<boolean> {
    for (const name of names) if (test(await this.readHead(name, maxBytes))) return true
    return false
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
    for (const zip of this.#zips) zip.close()
  }
}

interface ZippedFile {
  zip: ZipFile
  entry: Entry
}

const partName = /^[^/]{0,300}part-?\d{1,3}\.zip$/i
const maxParts = 100
/** A zip inside a zip hardly compresses, so one that compresses more than this is refused as hostile. */
const maxCompressionRatio = 20

/** Large exports come as a zip that holds only zips numbered “Part-1”, “Part-2”. */
export function listParts(files: ReadonlyMap<string, ZippedFile>): ZippedFile[] {
  return files.size <= maxParts && [...files.keys()].every((name) => partName.test(name)) ? [...files.values()] : []
}

/** A stored part is read in place, a compressed one from a temporary copy that is deleted when it is closed.
 * @throws Problem 422 for a part that would unpack to far more than its size */
async function openPart({ zip, entry }: ZippedFile, path: string): Promise<ZipFile> {
  const { compressedSize, uncompressedSize } = entry
  if (entry.compressionMethod === 0) {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    return openRange(await open(path), fileDataStart, uncompressedSize)
  }
  if (uncompressedSize > Math.min(compressedSize * maxCompressionRatio, maxImportBytes))
    throw new Problem('unprocessable', { message: `${entry.fileName} in this zip unpacks to far more than its size.` })
  const copyPath = `${path}.${randomUUID()}`
  const file = await open(copyPath, 'wx+', 0o600)
  try {
    // A deleted file stays readable while it is open, and nothing is left behind even after a crash.
    await rm(copyPath)
    await file.writeFile(await zip.openReadStreamPromise(entry))
  } catch (error) {
    await file.close()
    throw error
  }
  return openRange(file, 0, uncompressedSize)
}

async function openRange(file: FileHandle, start: number, size: number): Promise<ZipFile> {
  try {
    const options = { lazyEntries: true, autoClose: false }
    return await fromRandomAccessReaderPromise(new FileRange(file, start), size, options)
  } catch (error) {
    await file.close().catch(() => undefined)
    throw error
  }
}

const chunkBytes = 64 * 1024

class FileRange extends RandomAccessReader {
  readonly #file: FileHandle
  readonly #start: number

  constructor(file: FileHandle, start: number) {
    super()
    this.#file = file
    this.#start = start
  }

  /** Not a stream of the file handle, which would close the file when it is destroyed. */
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#readChunks(start, end), { objectMode: false })
  }

  async *#readChunks(start: number, end: number): AsyncGenerator<Buffer> {
    let position = start
    while (position < end) {
      const chunk = Buffer.allocUnsafe(Math.min(end - position, chunkBytes))
      const { bytesRead } = await this.#file.read(chunk, 0, chunk.length, this.#start + position)
      if (bytesRead === 0) return
      yield chunk.subarray(0, bytesRead)
      position += bytesRead
    }
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.#file
      .read(buffer, offset, length, this.#start + position)
      .then(({ bytesRead }) => done(bytesRead < length ? new Error('The file ends too early') : null), done)
  }

  override close(done: (error: Error | null) => void): void {
    this.#file.close().then(() => done(null), done)
  }
}
