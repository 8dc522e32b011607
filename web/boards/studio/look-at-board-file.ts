import {
  type BoardImport,
  type BoardManifest,
  boardFileLimit,
  boardFiles,
  wholeBoardFileLimit,
} from '#contract/boards/board-files.ts'
import { call } from '#web/api.ts'
import { upload } from '#web/api-upload.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import { readBoardFile } from './read-board-file.ts'

export interface BoardFileLook {
  manifest: BoardManifest
  preview: BoardImport
  make: () => Promise<BoardImport>
}

/**
 * Files too large for a JSON body are streamed, once for the preview and once for the import.
 * @param onProgress the share that was sent, from 0 to 1
 * @param signal aborts the preview, not the import
 * @throws Error if it isn't a board, ApiError, NetworkError
 */
export async function lookAtBoardFile(
  chosen: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<BoardFileLook> {
  if (chosen.size > wholeBoardFileLimit)
    throw new Error(
      `This file is larger than the ${Math.floor(wholeBoardFileLimit / 1024 / 1024)} MB limit for boards.`,
    )
  const id = newClientId()
  if (chosen.size <= boardFileLimit) {
    const file = await readBoardFile(chosen)
    const send = (preview: boolean) =>
      call(boardFiles.importFile, {
        body: { file, ...(preview && { preview }) },
        ...(preview ? { signal } : { idempotencyKey: id }),
      })
    return { manifest: file.manifest, preview: await send(true), make: () => send(false) }
  }
  // Some systems don't derive the MIME type from the file's name.
  const file = chosen.slice(0, chosen.size, 'application/json')
  const send = (query: { preview?: 'true'; id?: string }) =>
    upload(boardFiles.importWhole, { query }, file, { onProgress, ...(query.preview && { signal }) })
  const { manifest, ...preview } = await send({ preview: 'true' })
  return { manifest, preview, make: () => send({ id }) }
}
