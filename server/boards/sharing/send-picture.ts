import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import { sendMedia } from '#server/media/send-media.ts'
import type { Services } from '#server/services.ts'
import { requireBoardTo } from '../board-access.ts'
import { findPicture } from './upload-picture.ts'

/** A picture of a board the person can open. @throws Problem 404 */
export async function sendPicture(
  services: Services,
  person: Pick<Person, 'id'>,
  { id, pictureId }: { id: string; pictureId: string },
  range: string | null,
): Promise<Response> {
  const { board } = await requireBoardTo(services, person, id, 'view')
  return sendBoardPicture(services, board.id, pictureId, range)
}

/** A picture of a board whose access was checked. @throws Problem 404 */
export async function sendBoardPicture(
  services: Services,
  boardId: string,
  pictureId: string,
  range: string | null,
): Promise<Response> {
  const row = await findPicture(services, boardId, pictureId)
  if (!row) throw boardPictureNotFound()
  const { sha256, mime } = row
  const filename = `picture-${row.id.slice(-8)}.${mime.slice(mime.indexOf('/') + 1).replace('jpeg', 'jpg')}`
  const answer = await sendMedia(services.media, { sha256, mime, filename, range })
  if (answer) return answer
  services.log.error({ pictureId, sha256 }, 'the file of a board picture is missing')
  throw boardPictureNotFound()
}

function boardPictureNotFound(): Problem {
  return new Problem('not-found', { message: 'Picture not found' })
}
