import { boardSharing } from '#contract/boards/board-sharing.ts'
import { fetchFile } from '#web/api/api.ts'
import { upload } from '#web/api/api-upload.ts'
import { createClientId } from '#web/offline/create-client-id.ts'

/** Returns the ID of the copy. */
export async function copyPicture(pictureId: string, sourceBoardId: string, targetBoardId: string): Promise<string> {
  const { blob } = await fetchFile(boardSharing.picture, { params: { id: sourceBoardId, pictureId } })
  const { id } = await upload(
    boardSharing.upload,
    { params: { id: targetBoardId }, query: { id: createClientId() } },
    blob,
  )
  return id
}
