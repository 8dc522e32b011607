import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import type { BoardFile, BoardImport, boardFiles } from '#contract/boards/board-files.ts'
import { boardPictureQuota, boardPictureTypes, mostBoardPictureBytes } from '#contract/boards/board-sharing.ts'
import { isFrameType } from '#contract/boards/frame-types.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import { bytesToTell, fitsMime } from '#server/keepers/media/sniff-media-type.ts'
import type { KeptMedia } from '#server/media/media-store.ts'
import { requireRoom, roomOf, withinRoom } from '#server/media/require-room.ts'
import type { Services } from '#server/services.ts'
import { checkFrames } from '../check-frames.ts'
import { domainFor, makeBoard, untitled } from '../create-board.ts'
import { findEntity, isEntityKind } from '../entities.ts'
import type { PlainFrame } from '../frame-rows.ts'
import { keepPictureBytes, type PictureRow } from '../sharing/keep-picture.ts'
import { entitiesIn } from './entities-in.ts'

type Sent = z.output<typeof boardFiles.importFile.body & {}>

/** A picture as it was sent, whatever the manifest says of it. */
export interface SentPicture {
  sha256: string
  bytes: number
  /** Its first bytes: as many as tell what it is. */
  head: Buffer
}
type FilePicture<Picture extends SentPicture> = BoardFile['manifest']['pictures'][number] & { sent: Picture }

interface Importing<Picture extends SentPicture> {
  /** Of the board that is made. */
  id: string
  preview: boolean
  domainId: string | undefined
  file: Omit<BoardFile, 'pictures'>
  sentUnder(id: string): Picture | undefined
  keep(mime: string, sent: Picture): Promise<KeptMedia>
}

/** Makes a board of a file that is one body of JSON. @throws as `boardOfFile` */
export async function importFile(
  services: Services,
  person: Person,
  { preview = false, domainId, file }: Sent,
): Promise<BoardImport> {
  const room = await roomOf(services, person.id)
  return boardOfFile(services, person, {
    id: services.newId(),
    ...{ preview, domainId, file },
    sentUnder(id) {
      if (!Object.hasOwn(file.pictures, id)) return undefined
      const data = Buffer.from(file.pictures[id] ?? '', 'base64')
      const sha256 = createHash('sha256').update(data).digest('hex')
      return { sha256, bytes: data.length, head: data.subarray(0, bytesToTell), data }
    },
    keep: (mime, { data }) => keepPictureBytes(services, mime, withinRoom(services, person.id, room, [data])),
  })
}

/**
 * Makes a board of what a file says, under new ids; frames about what the caller may not see come without it.
 * @throws Problem 400 naming what of the file cannot be used, 404 for a domain that is not theirs; 413 without room
 *   for its pictures, 429 past what may be sent in a day; nothing is made then
 */
export async function boardOfFile<Picture extends SentPicture>(
  services: Services,
  person: Person,
  { id, preview, domainId, file, sentUnder, keep }: Importing<Picture>,
): Promise<BoardImport> {
  const pictures = picturesIn(file, sentUnder)
  const checked = checkFrames(file.board.frames, [])
  const { frames, unlinked } = await unlink(services, person, checked)
  const name = file.board.config.name.trim().slice(0, 120) || untitled
  const told = {
    name,
    frames: frames.length,
    pictures: pictures.length,
    unsupported: [...new Set(frames.map(({ data }) => data.frameType).filter((type) => !isFrameType(type)))],
    unlinked,
  }
  const domain_id = await domainFor(services, person, domainId)
  if (preview) return { ...told, board: null }
  await requireRoom(services, person.id, bytesOf(pictures))
  const newPictureIds = new Map(pictures.map((picture) => [picture.id, services.newId()]))
  const rows: PictureRow[] = []
  for (const picture of pictures) {
    const kept = await keep(picture.mime, picture.sent)
    rows.push({
      id: newPictureIds.get(picture.id) ?? services.newId(),
      board_id: id,
      person_id: person.id,
      mime: picture.mime,
      ...kept,
      ...{ name: null, width: null, height: null },
      created_at: services.now().getTime(),
    })
  }
  const board = {
    id,
    owner_id: person.id,
    domain_id,
    type: 'custom_board' as const,
    config: { ...file.board.config, name, description: file.board.config.description.slice(0, 2000) },
    frames: frames.map((frame) => withNewIds(services, frame, newPictureIds)),
    pictures: rows,
  }
  return { ...told, board: await makeBoard(services, person, board) }
}

/** A frame shows a picture of this file, or of this board, or none. */
export function withNewIds(services: Services, frame: PlainFrame, pictureIds: ReadonlyMap<string, string>): PlainFrame {
  const { content, frameType } = frame.data
  const shown = typeof content.mediaId === 'string' ? (pictureIds.get(content.mediaId) ?? null) : content.mediaId
  const data =
    isFrameType(frameType) && shown !== undefined
      ? { ...frame.data, content: { ...content, mediaId: shown } }
      : frame.data
  return { ...frame, id: services.newId(), data }
}

/** The pictures of a file, as large and with the sum that its manifest says; nothing is unpacked that could grow. */
function picturesIn<Picture extends SentPicture>(
  { manifest }: Pick<BoardFile, 'manifest'>,
  sentUnder: (id: string) => Picture | undefined,
): FilePicture<Picture>[] {
  const wrong = (index: number, message: string) => badField(`file.manifest.pictures.${index}`, message)
  const ids = new Set<string>()
  const found = manifest.pictures.map((picture, index) => {
    if (ids.has(picture.id)) throw wrong(index, 'Two pictures of this file have the same id.')
    ids.add(picture.id)
    if (!boardPictureTypes.some((mime) => mime === picture.mime))
      throw wrong(index, `A picture is one of: ${boardPictureTypes.join(', ')}.`)
    if (picture.bytes > mostBoardPictureBytes) throw wrong(index, 'This picture is larger than 20 MB.')
    const sent = sentUnder(picture.id)
    if (!sent) throw wrong(index, 'The bytes of this picture are not in the file.')
    const isWhole = sent.bytes === picture.bytes && sent.sha256 === picture.sha256.toLowerCase()
    if (!isWhole) throw wrong(index, 'The bytes of this picture are not those the manifest tells of. Export it again.')
    if (!fitsMime(picture.mime, sent.head))
      throw wrong(index, `This picture says that it is ${picture.mime}, and its bytes say that it is not.`)
    return { ...picture, sent }
  })
  if (bytesOf(found) > boardPictureQuota)
    throw badField('file.manifest.pictures', 'These pictures are more than a board holds.')
  return found
}

const bytesOf = (pictures: readonly { bytes: number }[]) => pictures.reduce((sum, { bytes }) => sum + bytes, 0)

/** Frames without chats and runs, and without what the caller may not see. Each thing is looked up once, however many frames name it. */
export async function unlink(
  services: Services,
  person: Person,
  frames: readonly PlainFrame[],
): Promise<{ frames: PlainFrame[]; unlinked: BoardImport['unlinked'] }> {
  const seen = new Map<string, boolean>()
  const maySee = async (kind: string, id: string) => {
    const key = `${kind} ${id}`
    const known = seen.get(key)
    if (known !== undefined) return known
    const found = isEntityKind(kind) && (await findEntity(services, person, kind, id)) !== undefined
    seen.set(key, found)
    return found
  }
  const unlinked: BoardImport['unlinked'] = []
  const kept: PlainFrame[] = []
  for (const frame of frames) {
    const content: Record<string, unknown> = { ...frame.data.content }
    if (isFrameType(frame.data.frameType))
      for (const field of ['sessionId', 'runId']) if (content[field] !== undefined) content[field] = null
    const after = { ...frame, data: { ...frame.data, content } }
    for (const { kind, id, at } of entitiesIn({
      entityType: frame.entity_type,
      entityId: frame.entity_id,
      data: frame.data,
    })) {
      if (await maySee(kind, id)) continue
      unlinked.push({ frameId: frame.id, kind })
      if (at === 'frame') Object.assign(after, { entity_type: null, entity_id: null })
      else content[at] = null
    }
    kept.push(after)
  }
  return { frames: kept, unlinked }
}
