import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import { type BoardImport, type BoardManifest, boardFiles, maxBoardFileBytes } from '#contract/boards/board-files.ts'
import { boardPictureQuota, maxBoardPictureBytes } from '#contract/boards/board-sharing.ts'
import { boardBodyKeys, maxFrames } from '#contract/boards/boards.ts'
import { sniffedBytes } from '#contract/keepers/detect-media-type.ts'
import type { Person } from '#server/accounts/person.ts'
import { parseInput } from '#server/http/parse-input.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { createTooDeepProblem, maxJsonDepth, readJsonFile } from '#server/http/request-body.ts'
import type { Upload } from '#server/http/upload.ts'
import { limitToQuota, readMediaQuota } from '#server/media/media-quota.ts'
import type { Services } from '#server/services.ts'
import { decodeBase64 } from '#server/values/decode-base64.ts'
import { findOwnBoard } from '../create-board.ts'
import { stripStoredMetadata } from '../sharing/board-pictures.ts'
import { createBoardFromFile, type UploadedPicture } from './import-file.ts'

type ImportWholeQuery = z.output<typeof boardFiles.importWhole.query & {}>

/** Pictures of a refused file are unowned and swept later. @throws as {@link createBoardFromFile}; 409 for a taken id */
export async function importStreamedFile(
  services: Services,
  person: Person,
  { preview, domainId, id = services.newId() }: ImportWholeQuery,
  upload: Upload,
): Promise<BoardImport & { manifest: BoardManifest }> {
  const isPreview = preview !== undefined
  const quota = await readMediaQuota(services, person.id)
  const pictures = new Map<string, UploadedPicture>()
  let pictureCount = 0
  /** Total of the pictures before the current one. */
  let previousBytes = 0
  const remainingJson = await splitBoardFile(upload.stream, maxBoardFileBytes, async (pictureId, bytes) => {
    // Counted while streaming, since a file can repeat a name any number of times.
    if (++pictureCount > maxFrames) throw badField('file.pictures', 'A board can have at most 1,000 pictures.')
    const inspector = new PictureInspector()
    const chunks = inspector.inspect(limitToBoard(bytes, previousBytes))
    if (isPreview) for await (const _ of chunks);
    else {
      const quotaForPicture = { ...quota, bytes: quota.bytes + previousBytes }
      await services.media.write(limitToQuota(services, person.id, quotaForPicture, chunks), services.now())
    }
    previousBytes += inspector.bytes
    pictures.set(pictureId, inspector.finish())
  })
  const parsedJson = readJsonFile(remainingJson, boardBodyKeys)
  const body = {
    file: typeof parsedJson === 'object' && parsedJson !== null ? { ...parsedJson, pictures: {} } : parsedJson,
  }
  const { file } = parseInput(boardFiles.importFile, { params: {}, query: {}, body }).body
  const existing = isPreview ? undefined : await findOwnBoard(services, person, { id })
  const result = await createBoardFromFile(services, person, {
    id,
    domainId,
    file,
    isPreview: isPreview || existing !== undefined,
    findUploaded: (pictureId) => pictures.get(pictureId),
    storePicture: (mime, { sha256, bytes }) => stripStoredMetadata(services, mime, { sha256, bytes }),
  })
  return { ...result, board: result.board ?? existing ?? null, manifest: file.manifest }
}

class PictureInspector {
  bytes = 0
  readonly #hash = createHash('sha256')
  #head: Buffer = Buffer.alloc(0)

  async *inspect(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.bytes += chunk.length
      this.#hash.update(chunk)
      if (this.#head.length < sniffedBytes)
        this.#head = Buffer.concat([this.#head, chunk.subarray(0, sniffedBytes - this.#head.length)])
      yield chunk
    }
  }

  finish(): UploadedPicture {
    return { sha256: this.#hash.digest('hex'), bytes: this.bytes, head: this.#head }
  }
}

async function* limitToBoard(chunks: AsyncIterable<Buffer>, previousBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBoardPictureBytes)
      throw new Problem('too-large', { message: 'A picture in this file is larger than 20 MB.' })
    if (previousBytes + bytes > boardPictureQuota)
      throw new Problem('too-large', { message: 'Together, these pictures are too large for one board.' })
    yield chunk
  }
}

const quote = 0x22
const backslash = 0x5c
const [comma, colon, openBrace, closeBrace, openBracket, closeBracket] = [0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d]
const maxKeyLength = 200

/** Streams each picture to `onPicture`, which must consume it, and returns the remaining JSON. @throws Problem 413, 400 */
async function splitBoardFile(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onPicture: (id: string, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Buffer> {
  const scanner = new BoardFileScanner()
  const source = chunks[Symbol.asyncIterator]()
  const remaining: Buffer[] = []
  let remainingBytes = 0
  let chunk: Buffer = Buffer.alloc(0)
  const readChunk = async () => {
    const { done, value } = await source.next()
    if (!done) chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return !done
  }
  async function* readString(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = chunk.indexOf(quote)
      if (end < 0) yield chunk
      else {
        const last = chunk.subarray(0, end)
        chunk = chunk.subarray(end)
        yield last
        return
      }
      if (!(await readChunk()))
        throw badField('body', 'The file is incomplete. Upload it again, or export the board again.')
    }
  }
  try {
    while (chunk.length > 0 || (await readChunk())) {
      const { end, picture } = scanner.scan(chunk)
      remainingBytes += end
      if (remainingBytes > maxBytes)
        throw new Problem('too-large', {
          message: `A board can have at most ${Math.floor(maxBytes / 1024 / 1024)} MB without its pictures.`,
        })
      remaining.push(chunk.subarray(0, end))
      chunk = chunk.subarray(end)
      if (picture === undefined) continue
      await onPicture(picture, decodeBase64(readString()))
    }
  } finally {
    await source.return?.()
  }
  return Buffer.concat(remaining)
}

class BoardFileScanner {
  readonly #isObjectStack: boolean[] = []
  #inString = false
  #isEscaped = false
  #isKey = false
  #key: number[] = []
  readonly #path: [string, string] = ['', '']

  /** Returns the offset where the data of the next picture starts, with its id, or else the end of the chunk. */
  scan(chunk: Buffer): { end: number; picture?: string } {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] ?? 0
      if (this.#inString) this.#readStringByte(byte)
      else if (byte === quote) {
        this.#inString = true
        this.#key = []
        if (this.#isAtPicture()) return { end: index + 1, picture: this.#path[1] }
      } else this.#readPunctuation(byte)
    }
    return { end: chunk.length }
  }

  #isAtPicture(): boolean {
    return (
      this.#isObjectStack.length === 2 &&
      this.#isObjectStack[1] === true &&
      !this.#isKey &&
      this.#path[0] === 'pictures'
    )
  }

  #readStringByte(byte: number): void {
    if (this.#isKey && this.#isObjectStack.length <= 2 && this.#key.length <= maxKeyLength) this.#key.push(byte)
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) {
      this.#inString = false
      if (this.#isKey && this.#isObjectStack.length <= 2)
        this.#path[this.#isObjectStack.length === 1 ? 0 : 1] = parseKey(this.#key)
    }
  }

  #readPunctuation(byte: number): void {
    if (byte === colon) this.#isKey = false
    else if (byte === comma) this.#isKey = this.#isObjectStack.at(-1) === true
    else if (byte === openBrace || byte === openBracket) {
      this.#isKey = byte === openBrace
      if (this.#isObjectStack.push(this.#isKey) > maxJsonDepth) throw createTooDeepProblem()
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#isObjectStack.pop()
      this.#isKey = false
    }
  }
}

function parseKey(text: readonly number[]): string {
  try {
    return JSON.parse(`"${Buffer.from(text).toString()}`)
  } catch {
    // A malformed key is reported when the remaining JSON is parsed.
    return ''
  }
}
