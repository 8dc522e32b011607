import { transfer } from '#contract/keepers/transfer.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { exportAll, exportKeeper } from './export-keepers.ts'
import { importFromMemos } from './import-from-memos.ts'
import { cancelImport, chooseKeeper, listImports, showImport, startImport, undoImport } from './import-jobs.ts'
import { uploadArchive } from './pending-archives.ts'

export function transferRoutes(services: Services): ServedCall[] {
  return serveArea('transfer', transfer, {
    exportKeeper: ({ person, params }) => exportKeeper(services, person, params.id),
    exportAll: ({ person }) => exportAll(services, person),
    upload: ({ person, query, openUpload }) => uploadArchive(services, person, query, openUpload()),
    readMemos: ({ person, body }) => importFromMemos(services, person, body),
    list: ({ person, query }) => listImports(services, person, query.cursor),
    show: ({ person, params }) => showImport(services, person, params.jobId),
    chooseKeeper: ({ person, params, body }) => chooseKeeper(services, person, params.jobId, body.keeperId),
    begin: ({ person, params, body }) => startImport(services, person, params.jobId, body.keeperId),
    cancel: ({ person, params }) => cancelImport(services, person, params.jobId),
    undo: ({ person, params }) => undoImport(services, person, params.jobId),
  })
}
