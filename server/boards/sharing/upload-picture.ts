import type { Selectable } from 'kysely'
import { type BoardPicture, boardPictureChoices, boardPictureTypes } from '#contract/boards/board-sharing.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { idTaken } from '#server/http/problem.ts'
import type { Upload } from '#server/http/upload.ts'
import { MediaInspector } from '#server/keepers/media/inspect-media.ts'
import { getSmallDueAt } from '#server/keepers/media/small-versions.ts'
import { limitToQuota, requireUploadSpace } from '#server/media/media-quota.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { insertPictureRow, stripStoredMetadata } from './store-picture.ts'

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
    label: upload.mime,
    name: details.name,
    accepts: boardPictureTypes,
    choices: boardPictureChoices,
  })
  const chunks = limitToQuota(services, person.id, quota, inspector.pass(upload.stream))
  const written = await services.media.write(chunks, services.now())
  const { mime, dimensions = details } = inspector
  const { sha256, bytes } = await stripStoredMetadata(services, mime, written)
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
    throw idTaken(error)
  }
}

export function findPicture({ db }: Services, boardId: string, id: string): Promise<BoardPictureRow | undefined> {
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
