import type { Selectable } from 'kysely'
import type { BoardPicture } from '#contract/boards/board-sharing.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { idTaken } from '#server/http/problem.ts'
import type { Upload } from '#server/http/upload.ts'
import { checked } from '#server/keepers/media/upload-media.ts'
import { requireRoomToWrite, withinRoom } from '#server/media/require-room.ts'
import type { Services } from '#server/services.ts'
import { requireBoardTo } from '../board-access.ts'
import { keepPictureBytes, keepPictureRow } from './keep-picture.ts'

type Row = Selectable<Schema['board_pictures']>

interface Described {
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
  described: Described,
  upload: Upload,
): Promise<BoardPicture> {
  const { board } = await requireBoardTo(services, person, boardId, 'edit')
  const there = described.id ? await findPicture(services, board.id, described.id) : undefined
  if (there) {
    for await (const _ of upload.stream);
    return pictureView(there)
  }
  const room = await requireRoomToWrite(services, person.id, upload.declaredBytes ?? 0)
  const pieces = withinRoom(services, person.id, room, checked(upload, described.name))
  const { sha256, bytes } = await keepPictureBytes(services, upload.mime, pieces)
  const row = {
    id: described.id ?? services.newId(),
    board_id: board.id,
    person_id: person.id,
    mime: upload.mime,
    bytes,
    sha256,
    name: described.name?.trim() || null,
    width: described.width || null,
    height: described.height || null,
    created_at: services.now().getTime(),
  }
  try {
    await keepPictureRow(services, row)
    return pictureView(row)
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    const made = await findPicture(services, board.id, row.id)
    if (made) return pictureView(made)
    throw idTaken(error)
  }
}

export function findPicture({ db }: Services, boardId: string, id: string): Promise<Row | undefined> {
  return db
    .selectFrom('board_pictures')
    .selectAll()
    .where('id', '=', id)
    .where('board_id', '=', boardId)
    .executeTakeFirst()
}

function pictureView({ id, mime, bytes, name, width, height }: Row): BoardPicture {
  return { id, mime, bytes, name, width, height }
}
