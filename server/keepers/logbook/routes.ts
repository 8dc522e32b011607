import { logbook } from '#contract/keepers/logbook.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { exportLogbook, listCategories, listLogbook, listTags } from './list-logbook.ts'
import { renameWord } from './rename-word.ts'
import { createLogbookEntry, updateLogbookEntry } from './save-logbook-entry.ts'

export function logbookRoutes(services: Services): ServedCall[] {
  return serveArea('logbook', logbook, {
    list: ({ person, params, query }) => listLogbook(services, person, params.id, query.cursor),
    categories: ({ person, params }) => listCategories(services, person, params.id),
    tags: ({ person, params }) => listTags(services, person, params.id),
    create: ({ person, params, body }) => createLogbookEntry(services, person, params.id, body),
    update: ({ person, params, body, ifMatch }) => updateLogbookEntry(services, person, params.id, body, ifMatch),
    remove: ({ person, params }) => trashEntry(services, person, 'logbook', params.id),
    renameWord: ({ person, params, body }) => renameWord(services, person, params.id, body),
    exportEntries: ({ person, params, query }) => exportLogbook(services, person, params.id, query.format),
  })
}
