import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import type { BoardFile, BoardFileToImport, BoardImport, boardFiles } from '#contract/boards/board-files.ts'
import {
  boardPictureChoices,
  boardPictureQuota,
  boardPictureTypes,
  maxBoardPictureBytes,
} from '#contract/boards/board-sharing.ts'
import { isFrameType } from '#contract/boards/frame-types.ts'
import { detectMediaType, sniffedBytes } from '#contract/keepers/detect-media-type.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import { getSmallDueAt } from '#server/keepers/media/small-versions.ts'
import { limitToQuota, readMediaQuota, requireMediaSpace } from '#server/media/media-quota.ts'
import type { StoredMedia } from '#server/media/media-store.ts'
import type { Services } from '#server/services.ts'
import { type PlainFrame, toNewFrame } from '../board-view.ts'
import { insertBoard, requireBoardDomain, untitledBoardName } from '../create-board.ts'
import { findEntity, isEntityKind } from '../entity/entity-boards.ts'
import { findEntityReferences, removeSessions } from '../references.ts'
import { type PictureRow, stripStoredMetadata } from '../sharing/board-pictures.ts'
import { readConfig, readFrames } from './read-frames.ts'

type ImportFileBody = z.output<typeof boardFiles.importFile.body & {}>

export interface UploadedPicture {
  sha256: string
  bytes: number
  /** The first bytes, from which the type is detected. */
  head: Buffer
}
type NewPicture<Picture extends UploadedPicture> = BoardFile['manifest']['pictures'][number] & { uploaded: Picture }

interface BoardImportOptions<Picture extends UploadedPicture> {
  id: string
  isPreview: boolean
  domainId: string | undefined
  file: Omit<BoardFileToImport, 'pictures'>
  findUploaded(id: string): Picture | undefined
  storePicture(mime: string, uploaded: Picture): Promise<StoredMedia>
}

/** @throws as {@link createBoardFromFile} */
export async function importBoardFile(
  services: Services,
  person: Person,
  { preview = false, domainId, file }: ImportFileBody,
): Promise<BoardImport> {
  const quota = await readMediaQuota(services, person.id)
  return createBoardFromFile(services, person, {
    id: services.newId(),
    isPreview: preview,
    domainId,
    file,
    findUploaded(id) {
      if (!Object.hasOwn(file.pictures, id)) return undefined
      const data = Buffer.from(file.pictures[id] ?? '', 'base64')
      const sha256 = createHash('sha256').update(data).digest('hex')
      return { sha256, bytes: data.length, head: data.subarray(0, sniffedBytes), data }
    },
    storePicture: async (mime, { data }) =>
      stripStoredMetadata(
        services,
        mime,
        await services.media.write(limitToQuota(services, person.id, quota, [data]), services.now()),
      ),
  })
}

/** @throws Problem 400 naming the unusable field, 404 for someone else's domain, 413 without space, 429 above the daily limit */
export async function createBoardFromFile<Picture extends UploadedPicture>(
  services: Services,
  person: Person,
  { id, isPreview, domainId, file, findUploaded, storePicture }: BoardImportOptions<Picture>,
): Promise<BoardImport> {
  const pictures = checkPictures(file, findUploaded)
  const { frames: readableFrames, repaired, leftOut } = readFrames(file.board.frames)
  const { frames, unlinked } = await unlinkFrames(services, person, readableFrames)
  const config = readConfig(file.board.config)
  const name = config.name.trim().slice(0, 120) || untitledBoardName
  const summary = {
    name,
    frames: frames.length,
    pictures: pictures.length,
    unsupported: [...new Set(frames.map(({ data }) => data.frameType).filter((type) => !isFrameType(type)))],
    repaired,
    leftOut,
    unlinked,
  }
  const domain_id = await requireBoardDomain(services, person, domainId)
  if (isPreview) return { ...summary, board: null }
  await requireMediaSpace(services, person.id, sumBytes(pictures))
  const newPictureIds = new Map(pictures.map((picture) => [picture.id, services.newId()]))
  const rows: PictureRow[] = []
  for (const picture of pictures) {
    const storedMedia = await storePicture(picture.mime, picture.uploaded)
    const createdAt = services.now().getTime()
    rows.push({
      id: newPictureIds.get(picture.id) ?? services.newId(),
      board_id: id,
      person_id: person.id,
      mime: picture.mime,
      ...storedMedia,
      name: null,
      width: null,
      height: null,
      created_at: createdAt,
      small_due_at: getSmallDueAt(picture.mime, createdAt),
    })
  }
  const board = {
    id,
    owner_id: person.id,
    domain_id,
    type: 'custom_board' as const,
    config: { ...config, name, description: config.description.slice(0, 2000) },
    frames: frames.map((frame) => withNewIds(services, frame, newPictureIds)),
    pictures: rows,
  }
  return { ...summary, board: await insertBoard(services, person, board) }
}

export function withNewIds(services: Services, frame: PlainFrame, pictureIds: ReadonlyMap<string, string>): PlainFrame {
  const { content, frameType } = frame.data
  const pictureId = typeof content.mediaId === 'string' ? (pictureIds.get(content.mediaId) ?? null) : content.mediaId
  const data =
    isFrameType(frameType) && pictureId !== undefined
      ? { ...frame.data, content: { ...content, mediaId: pictureId } }
      : frame.data
  return { ...frame, id: services.newId(), data }
}

function checkPictures<Picture extends UploadedPicture>(
  { manifest }: Pick<BoardFile, 'manifest'>,
  findUploaded: (id: string) => Picture | undefined,
): NewPicture<Picture>[] {
  const createPictureProblem = (index: number, message: string) => badField(`file.manifest.pictures.${index}`, message)
  const ids = new Set<string>()
  const pictures = manifest.pictures.map((picture, index) => {
    if (ids.has(picture.id)) throw createPictureProblem(index, 'Two pictures in this file have the same ID.')
    ids.add(picture.id)
    if (picture.bytes > maxBoardPictureBytes) throw createPictureProblem(index, 'This picture is larger than 20 MB.')
    const uploaded = findUploaded(picture.id)
    if (!uploaded) throw createPictureProblem(index, 'This picture is missing from the file.')
    const isIntact = uploaded.bytes === picture.bytes && uploaded.sha256 === picture.sha256.toLowerCase()
    if (!isIntact)
      throw createPictureProblem(index, 'This picture doesn’t match the file’s manifest. Export the board again.')
    const detected = detectMediaType(uploaded.head, picture.mime)
    const mime = boardPictureTypes.find((type) => type === detected)
    if (!mime) throw createPictureProblem(index, `This isn’t ${boardPictureChoices}.`)
    return { ...picture, mime, uploaded }
  })
  if (sumBytes(pictures) > boardPictureQuota)
    throw badField('file.manifest.pictures', 'Together, these pictures are too large for one board.')
  return pictures
}

const sumBytes = (pictures: readonly { bytes: number }[]) => pictures.reduce((total, { bytes }) => total + bytes, 0)

export async function unlinkFrames(
  services: Services,
  person: Person,
  frames: readonly PlainFrame[],
): Promise<{ frames: PlainFrame[]; unlinked: BoardImport['unlinked'] }> {
  const visibilityByKey = new Map<string, boolean>()
  const canSee = async (kind: string, id: string) => {
    const key = `${kind} ${id}`
    const isVisible =
      visibilityByKey.get(key) ?? (isEntityKind(kind) && (await findEntity(services, person, kind, id)) !== undefined)
    visibilityByKey.set(key, isVisible)
    return isVisible
  }
  const unlinked: BoardImport['unlinked'] = []
  const unlinkedFrames: PlainFrame[] = []
  for (const frame of frames) {
    const data = removeSessions(frame.data)
    const content = { ...data.content }
    const updated = { ...frame, data: { ...data, content } }
    for (const { kind, id, field } of findEntityReferences(toNewFrame(frame))) {
      if (await canSee(kind, id)) continue
      unlinked.push({ frameId: frame.id, kind })
      if (field === 'frame') Object.assign(updated, { entity_type: null, entity_id: null })
      else content[field] = null
    }
    unlinkedFrames.push(updated)
  }
  return { frames: unlinkedFrames, unlinked }
}
