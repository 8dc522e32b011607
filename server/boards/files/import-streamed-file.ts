import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import { type BoardImport, type BoardManifest, boardFiles, maxBoardFileBytes } from '#contract/boards/board-files.ts'
import { boardPictureQuota, maxBoardPictureBytes } from '#contract/boards/board-sharing.ts'
import { boardBodyKeys, maxFrames } from '#contract/boards/boards.ts'
import { sniffedBytes } from '#contract/keepers/detect-media-type.ts'
import type { Person } from '#server/accounts/person.ts'
import { parseInput } from '#server/http/parse-input.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { readJsonFile } from '#server/http/request-body.ts'
import type { Upload } from '#server/http/upload.ts'
import { limitToQuota, readMediaQuota } from '#server/media/media-quota.ts'
import type { Services } from '#server/services.ts'
import { findOwnBoard } from '../create-board.ts'
import { stripStoredMetadata } from '../sharing/store-picture.ts'
import { createBoardFromFile, type UploadedPicture } from './import-file.ts'
import { splitBoardFile } from './split-board-file.ts'

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
  const existing = isPreview ? undefined : await findOwnBoard(services, person, id)
  const result = await createBoardFromFile(services, person, {
    id,
    domainId,
    file,
    preview: isPreview || existing !== undefined,
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
      throw new Problem('too-large', { message: 'These pictures are larger in total than a board can hold.' })
    yield chunk
  }
}
