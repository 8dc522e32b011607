import { type Insertable, type Selectable, sql } from 'kysely'
import {
  type BoardPicture,
  boardPictureChoices,
  boardPictureQuota,
  boardPictureTypes,
} from '#contract/boards/board-sharing.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges, UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { createIdTakenProblem, Problem } from '#server/http/problem.ts'
import type { Upload } from '#server/http/upload.ts'
import { MediaInspector } from '#server/keepers/media/inspect-media.ts'
import type { BytesRequest } from '#server/keepers/media/send-bytes.ts'
import { getSmallDueAt, selectSize, storeSmallVersion } from '#server/keepers/media/small-versions.ts'
import { removeMetadata } from '#server/keepers/shared/without-metadata.ts'
import { limitToQuota, requireUploadSpace } from '#server/media/media-quota.ts'
import type { StoredMedia } from '#server/media/media-store.ts'
import { readSegments, sendMedia, sumSegments } from '#server/media/send-media.ts'
import type { Services } from '#server/services.ts'
import { createBoardNotFoundProblem, requireBoardRight } from '../board-access.ts'

type BoardPictureRow = Selectable<Schema['board_pictures']>

interface PictureDetails {
  id?: string | undefined
  name?: string | undefined
  width?: number | undefined
  height?: number | undefined
}

/** Idempotent for a given id. @throws Problem 404, 403; 400 for other bytes, 409 for a taken id, 413, 429 */
export async function uploadPicture(
  services: Services,
  person: Pick<Person, 'id'>,
  boardId: string,
  details: PictureDetails,
  upload: Upload,
): Promise<BoardPicture> {
  const { board } = await requireBoardRight(services, person, boardId, 'edit')
  const stored = details.id ? await findPicture(services, board.id, details.id) : undefined
  if (stored) {
    for await (const _ of upload.stream);
    return toBoardPicture(stored)
  }
  const quota = await requireUploadSpace(services, person.id, upload.declaredBytes ?? 0)
  const inspector = new MediaInspector({
    declaredType: upload.mime,
    name: details.name,
    accepts: boardPictureTypes,
    choices: boardPictureChoices,
  })
  const chunks = limitToQuota(services, person.id, quota, inspector.inspect(upload.stream))
  const uploaded = await services.media.write(chunks, services.now())
  const { mime, dimensions = details } = inspector
  const { sha256, bytes } = await stripStoredMetadata(services, mime, uploaded)
  const createdAt = services.now().getTime()
  const row = {
    id: details.id ?? services.newId(),
    board_id: board.id,
    person_id: person.id,
    mime,
    bytes,
    sha256,
    name: details.name?.trim() || null,
    width: dimensions.width || null,
    height: dimensions.height || null,
    created_at: createdAt,
    small_due_at: getSmallDueAt(mime, createdAt, { fromBrowser: true }),
  }
  try {
    await insertPictureRow(services, row)
    return toBoardPicture(row)
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const existing = await findPicture(services, board.id, row.id)
    if (existing) return toBoardPicture(existing)
    throw createIdTakenProblem(error)
  }
}

function findPicture({ db }: Services, boardId: string, id: string): Promise<BoardPictureRow | undefined> {
  return db
    .selectFrom('board_pictures')
    .selectAll()
    .where('id', '=', id)
    .where('board_id', '=', boardId)
    .executeTakeFirst()
}

function toBoardPicture({
  id,
  mime,
  bytes,
  name,
  width,
  height,
}: Pick<BoardPictureRow, keyof BoardPicture>): BoardPicture {
  return { id, mime, bytes, name, width, height }
}

/** Drops camera metadata, since everyone who opens the board downloads these bytes. */
export async function stripStoredMetadata(
  { media, now }: Services,
  mime: string,
  storedMedia: StoredMedia,
): Promise<StoredMedia> {
  const ranges = await removeMetadata(media, storedMedia.sha256, mime)
  if (!ranges || sumSegments(ranges) === storedMedia.bytes) return storedMedia
  return media.write(readSegments(media, storedMedia.sha256, ranges), now())
}

export type PictureRow = Insertable<Schema['board_pictures']>

/** @throws UniqueViolation for a taken id; Problem 413 for a full board, 404 for a deleted one */
async function insertPictureRow(services: Services, row: PictureRow): Promise<void> {
  const { db } = services
  const usedBytes = sql<number>`(select coalesce(sum(bytes), 0) from board_pictures where board_id = ${row.board_id})`
  try {
    await db.batch([
      // Locks the board, so that concurrent uploads don't share the same free space.
      requireChanges(
        db
          .updateTable('boards')
          .set(({ ref }) => ({ rev: ref('rev') }))
          .where('id', '=', row.board_id)
          .where('deleted_at', 'is', null),
      ),
      db.insertInto('board_pictures').values(row),
      requireChanges(
        db
          .updateTable('board_pictures')
          .set({ bytes: row.bytes })
          .where('id', '=', row.id)
          .where(usedBytes, '<=', boardPictureQuota),
      ),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    if (error.index === 0) throw createBoardNotFoundProblem()
    throw new Problem('too-large', {
      message: `This board has reached its limit of ${boardPictureQuota / 1024 / 1024} MB of pictures. Use another board or smaller pictures.`,
      cause: error,
    })
  }
}

/** A picture of a board the person can open. @throws Problem 404 */
export async function sendPicture(
  services: Services,
  person: Pick<Person, 'id'>,
  { id, pictureId }: { id: string; pictureId: string },
  request: BytesRequest,
): Promise<Response> {
  const { board } = await requireBoardRight(services, person, id, 'view')
  return sendBoardPicture(services, board.id, pictureId, request)
}

/** A picture of a board whose access was checked. @throws Problem 404 */
export async function sendBoardPicture(
  services: Services,
  boardId: string,
  pictureId: string,
  request: BytesRequest,
): Promise<Response> {
  const row = await findPicture(services, boardId, pictureId)
  if (!row) throw createPictureNotFoundProblem()
  const { sha256, mime } = await selectSize(services, 'board_pictures', row, request.size)
  const filename = `picture-${row.id.slice(-8)}.${mime.slice(mime.indexOf('/') + 1).replace('jpeg', 'jpg')}`
  const response = await sendMedia(services.media, { sha256, mime, filename, range: request.range })
  if (response) return response
  services.log.error({ pictureId, sha256 }, 'the file of a board picture is missing')
  throw createPictureNotFoundProblem()
}

function createPictureNotFoundProblem(): Problem {
  return new Problem('not-found', { message: 'Picture not found' })
}

/** For the person who uploaded it. @throws Problem 404, 403; 400 if the upload isn't a small picture; 413, 429 */
export async function setSmallPicture(
  services: Services,
  person: Pick<Person, 'id'>,
  { id, pictureId }: { id: string; pictureId: string },
  upload: Upload,
): Promise<void> {
  const { board } = await requireBoardRight(services, person, id, 'edit')
  const picture = await findPicture(services, board.id, pictureId)
  if (picture?.person_id !== person.id) throw createPictureNotFoundProblem()
  const small = await storeSmallVersion(services, person.id, upload)
  const stored = { sha256: small.small_sha256, bytes: small.small_bytes }
  const { sha256, bytes } = await stripStoredMetadata(services, small.small_mime, stored)
  await services.db
    .updateTable('board_pictures')
    .set({ ...small, small_sha256: sha256, small_bytes: bytes })
    .where('id', '=', picture.id)
    .where('board_id', '=', board.id)
    .execute()
}
