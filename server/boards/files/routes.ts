import { boardFiles } from '#contract/boards/board-files.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { duplicateBoard } from './duplicate-board.ts'
import { exportFile } from './export-file.ts'
import { importFile } from './import-file.ts'
import { importWholeFile } from './import-whole-file.ts'

export function boardFileRoutes(services: Services): ServedCall[] {
  return serveArea('boardFiles', boardFiles, {
    exportFile: ({ person, params }) => exportFile(services, person, params.id),
    duplicate: ({ person, params, body }) => duplicateBoard(services, person, params.id, body),
    importFile: ({ person, body }) => importFile(services, person, body),
    importWhole: ({ person, query, bytes }) => importWholeFile(services, person, query, bytes()),
  })
}
