import { transfer } from '#contract/keepers/transfer.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { beginImport } from './begin-import.ts'
import { chooseKeeper } from './choose-keeper.ts'
import { exportAll, exportKeeper } from './export-keepers.ts'
import { cancelImport, importView, listImports, requireImportFor } from './import-jobs.ts'
import { uploadArchive } from './upload-archive.ts'

export function transferRoutes(services: Services): ServedCall[] {
  return serveArea('transfer', transfer, {
    exportKeeper: ({ person, params }) => exportKeeper(services, person, params.id),
    exportAll: ({ person }) => exportAll(services, person),
    upload: ({ person, query, bytes }) => uploadArchive(services, person, query, bytes()),
    list: ({ person, query }) => listImports(services, person, query.cursor),
    show: async ({ person, params }) => importView(await requireImportFor(services, person, params.jobId)),
    chooseKeeper: ({ person, params, body }) => chooseKeeper(services, person, params.jobId, body.keeperId),
    begin: ({ person, params, body }) => beginImport(services, person, params.jobId, body.keeperId),
    cancel: ({ person, params }) => cancelImport(services, person, params.jobId),
  })
}
