import type { Person } from '#server/accounts/person.ts'
import type { Upload } from '#server/http/upload.ts'
import { storeSmallVersion } from '#server/keepers/media/small-versions.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { boardPictureNotFound } from './send-picture.ts'
import { stripStoredMetadata } from './store-picture.ts'
import { findPicture } from './upload-picture.ts'

/** For the person who uploaded it. @throws Problem 404, 403; 400 if the upload isn't a small picture; 413, 429 */
export async function setSmallPicture(
  services: Services,
  person: Pick<Person, 'id'>,
  { id, pictureId }: { id: string; pictureId: string },
  upload: Upload,
): Promise<void> {
  const { board } = await requireBoardRight(services, person, id, 'edit')
  const picture = await findPicture(services, board.id, pictureId)
  if (picture?.person_id !== person.id) throw boardPictureNotFound()
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
