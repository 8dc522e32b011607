import {
  type BoardImport,
  type BoardManifest,
  boardFiles,
  maxBoardFileBytes,
  maxStreamedBoardFileBytes,
} from '#contract/boards/board-files.ts'
import { call } from '#web/api/api.ts'
import { upload } from '#web/api/api-upload.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { readBoardFile } from './read-board-file.ts'

export interface BoardFilePreview {
  manifest: BoardManifest
  preview: BoardImport
  importFile: () => Promise<BoardImport>
}

/**
 * Files too large for a JSON body are streamed twice: for the preview, which `signal` aborts, and for the import.
 * @param onProgress receives the fraction of bytes sent, from 0 to 1
 * @throws Error if it isn't a board, ApiError, NetworkError
 */
export async function previewBoardFile(
  selectedFile: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<BoardFilePreview> {
  if (selectedFile.size > maxStreamedBoardFileBytes)
    throw new Error(
      `This file is larger than the ${Math.floor(maxStreamedBoardFileBytes / 1024 / 1024)} MB limit for boards.`,
    )
  const id = createClientId()
  if (selectedFile.size <= maxBoardFileBytes) {
    const file = await readBoardFile(selectedFile)
    const sendFile = (preview: boolean) =>
      call(boardFiles.importFile, {
        body: { file, ...(preview && { preview }) },
        ...(preview ? { signal } : { idempotencyKey: id }),
      })
    return { manifest: file.manifest, preview: await sendFile(true), importFile: () => sendFile(false) }
  }
  // Some systems don't derive the MIME type from the file's name.
  const file = selectedFile.slice(0, selectedFile.size, 'application/json')
  const sendFile = (query: { preview?: 'true'; id?: string }) =>
    upload(boardFiles.importWhole, { query }, file, { onProgress, ...(query.preview && { signal }) })
  const { manifest, ...preview } = await sendFile({ preview: 'true' })
  return { manifest, preview, importFile: () => sendFile({ id }) }
}
