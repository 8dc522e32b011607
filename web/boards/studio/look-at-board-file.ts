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

/** A file of a board, and what would be made of it. */
export interface BoardFileLook {
  manifest: BoardManifest
  preview: BoardImport
  make: () => Promise<BoardImport>
}

/**
 * What is too large to be one body is sent as it lies on the disk, once to be looked at and once more to be made.
 * @param onProgress the share of it that was sent, from 0 to 1
 * @param signal ends the look; what is made of it goes on
 * @throws Error saying why it is no board, ApiError, Unreachable
 */
export async function lookAtBoardFile(
  chosen: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<BoardFileLook> {
  if (chosen.size > wholeBoardFileLimit)
    throw new Error(
      `This file is larger than the ${Math.floor(wholeBoardFileLimit / 1024 / 1024)} MB that a board may have.`,
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
  // Not every system knows what a file is by its name.
  const file = chosen.slice(0, chosen.size, 'application/json')
  const send = (query: { preview?: 'true'; id?: string }) =>
    upload(boardFiles.importWhole, { query }, file, { onProgress, ...(query.preview && { signal }) })
  const { manifest, ...preview } = await send({ preview: 'true' })
  return { manifest, preview, make: () => send({ id }) }
}
