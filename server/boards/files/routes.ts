import { boardFiles } from '#contract/boards/board-files.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { duplicateBoard } from './duplicate-board.ts'
import { exportBoardFile } from './export-file.ts'
import { importBoardFile } from './import-file.ts'
import { importStreamedFile } from './import-streamed-file.ts'

export function boardFileRoutes(services: Services): ServedCall[] {
  return serveArea('boardFiles', boardFiles, {
    exportFile: ({ person, params }) => exportBoardFile(services, person, params.id),
    duplicate: ({ person, params, body }) => duplicateBoard(services, person, params.id, body),
    importFile: ({ person, body }) => importBoardFile(services, person, body),
    importWhole: ({ person, query, openUpload }) => importStreamedFile(services, person, query, openUpload()),
  })
}
