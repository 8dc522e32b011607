import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { BytesRequest } from '#server/keepers/media/send-bytes.ts'
import { selectSize } from '#server/keepers/media/small-versions.ts'
import { sendMedia } from '#server/media/send-media.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { findPicture } from './upload-picture.ts'

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
  if (!row) throw boardPictureNotFound()
  const { sha256, mime } = await selectSize(services, 'board_pictures', row, request.size)
  const filename = `picture-${row.id.slice(-8)}.${mime.slice(mime.indexOf('/') + 1).replace('jpeg', 'jpg')}`
  const answer = await sendMedia(services.media, { sha256, mime, filename, range: request.range })
  if (answer) return answer
  services.log.error({ pictureId, sha256 }, 'the file of a board picture is missing')
  throw boardPictureNotFound()
}

export function boardPictureNotFound(): Problem {
  return new Problem('not-found', { message: 'Picture not found' })
}
