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

export interface SentPicture {
  sha256: string
  bytes: number
  /** As many leading bytes as identify its type. */
  head: Buffer
}
type FilePicture<Picture extends SentPicture> = BoardFile['manifest']['pictures'][number] & { sent: Picture }

interface Importing<Picture extends SentPicture> {
  id: string
  preview: boolean
  domainId: string | undefined
  file: Omit<BoardFile, 'pictures'>
  sentUnder(id: string): Picture | undefined
  keep(mime: string, sent: Picture): Promise<KeptMedia>
}

/** Creates a board from a JSON body. @throws as `boardOfFile` */
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

/** @throws Problem 400 naming the unusable field, 404 for someone else's domain, 413 without space, 429 above the daily limit */
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

/** Maps a picture to its new id, or to none if the file doesn't contain it. */
export function withNewIds(services: Services, frame: PlainFrame, pictureIds: ReadonlyMap<string, string>): PlainFrame {
  const { content, frameType } = frame.data
  const shown = typeof content.mediaId === 'string' ? (pictureIds.get(content.mediaId) ?? null) : content.mediaId
  const data =
    isFrameType(frameType) && shown !== undefined
      ? { ...frame.data, content: { ...content, mediaId: shown } }
      : frame.data
  return { ...frame, id: services.newId(), data }
}

/** Checks the pictures against the size and checksum in the manifest. */
function picturesIn<Picture extends SentPicture>(
  { manifest }: Pick<BoardFile, 'manifest'>,
  sentUnder: (id: string) => Picture | undefined,
): FilePicture<Picture>[] {
  const wrong = (index: number, message: string) => badField(`file.manifest.pictures.${index}`, message)
  const ids = new Set<string>()
  const found = manifest.pictures.map((picture, index) => {
    if (ids.has(picture.id)) throw wrong(index, 'Two pictures in this file have the same id.')
    ids.add(picture.id)
    if (!boardPictureTypes.some((mime) => mime === picture.mime))
      throw wrong(index, `Pictures must be one of: ${boardPictureTypes.join(', ')}.`)
    if (picture.bytes > mostBoardPictureBytes) throw wrong(index, 'This picture is larger than 20 MB.')
    const sent = sentUnder(picture.id)
    if (!sent) throw wrong(index, 'This picture is missing from the file.')
    const isWhole = sent.bytes === picture.bytes && sent.sha256 === picture.sha256.toLowerCase()
    if (!isWhole) throw wrong(index, 'This picture doesn’t match the file’s manifest. Export the board again.')
    if (!fitsMime(picture.mime, sent.head))
      throw wrong(index, `This picture is labeled ${picture.mime}, but its content isn’t.`)
    return { ...picture, sent }
  })
  if (bytesOf(found) > boardPictureQuota)
    throw badField('file.manifest.pictures', 'These pictures are more than a board can hold.')
  return found
}

const bytesOf = (pictures: readonly { bytes: number }[]) => pictures.reduce((sum, { bytes }) => sum + bytes, 0)

/** Removes chats, runs and invisible entities from frames. Each entity is looked up once. */
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
