import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import { type BoardImport, type BoardManifest, boardFileLimit, boardFiles } from '#contract/boards/board-files.ts'
import { boardPictureQuota, mostBoardPictureBytes } from '#contract/boards/board-sharing.ts'
import { boardBodyKeys, mostFrames } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import { parseInput } from '#server/http/parse-input.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { readJsonFile } from '#server/http/request-body.ts'
import type { Upload } from '#server/http/upload.ts'
import { bytesToTell } from '#server/keepers/media/sniff-media-type.ts'
import { roomOf, withinRoom } from '#server/media/require-room.ts'
import type { Services } from '#server/services.ts'
import { ownBoard } from '../create-board.ts'
import { keepWithoutMetadata } from '../sharing/keep-picture.ts'
import { boardOfFile, type SentPicture } from './import-file.ts'
import { splitBoardFile } from './split-board-file.ts'

type Given = z.output<typeof boardFiles.importWhole.query & {}>

/** Streams the pictures. Those of a refused file are unowned and swept later. @throws as `boardOfFile`; 409 for a taken id */
export async function importWholeFile(
  services: Services,
  person: Person,
  { preview, domainId, id = services.newId() }: Given,
  upload: Upload,
): Promise<BoardImport & { manifest: BoardManifest }> {
  const isPreview = preview !== undefined
  const room = await roomOf(services, person.id)
  const pictures = new Map<string, SentPicture>()
  let taken = 0
  let before = 0
  const left = await splitBoardFile(upload.stream, boardFileLimit, async (pictureId, bytes) => {
    // Counted while streaming, since a file can repeat a name any number of times.
    if (++taken > mostFrames) throw badField('file.pictures', 'A board can have at most 1,000 pictures.')
    const seen = new Seen()
    const pieces = seen.pass(withinBoard(bytes, before))
    if (isPreview) for await (const _ of pieces);
    else {
      const roomLeft = { ...room, bytes: room.bytes + before }
      await services.media.write(withinRoom(services, person.id, roomLeft, pieces), services.now())
    }
    before += seen.bytes
    pictures.set(pictureId, seen.end())
  })
  const sent = readJsonFile(left, boardBodyKeys)
  // Uses the JSON import's schema, so that both refuse alike.
  const body = { file: typeof sent === 'object' && sent !== null ? { ...sent, pictures: {} } : sent }
  const { file } = parseInput(boardFiles.importFile, { params: {}, query: {}, body }).body
  const there = isPreview ? undefined : await ownBoard(services, person, id)
  const told = await boardOfFile(services, person, {
    ...{ id, domainId, file },
    preview: isPreview || there !== undefined,
    sentUnder: (pictureId) => pictures.get(pictureId),
    keep: (mime, { sha256, bytes }) => keepWithoutMetadata(services, mime, { sha256, bytes }),
  })
  return { ...told, board: told.board ?? there ?? null, manifest: file.manifest }
}

/** Records checksum, size and first bytes of a picture as it streams through. */
class Seen {
  bytes = 0
  readonly #hash = createHash('sha256')
  #head: Buffer = Buffer.alloc(0)

  async *pass(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.bytes += piece.length
      this.#hash.update(piece)
      if (this.#head.length < bytesToTell)
        this.#head = Buffer.concat([this.#head, piece.subarray(0, bytesToTell - this.#head.length)])
      yield piece
    }
  }

  end(): SentPicture {
    return { sha256: this.#hash.digest('hex'), bytes: this.bytes, head: this.#head }
  }
}

/** @param before total bytes of the preceding pictures */
async function* withinBoard(pieces: AsyncIterable<Buffer>, before: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > mostBoardPictureBytes)
      throw new Problem('too-large', { message: 'A picture in this file is larger than 20 MB.' })
    if (before + bytes > boardPictureQuota)
      throw new Problem('too-large', { message: 'These pictures are more than a board can hold.' })
    yield piece
  }
}
