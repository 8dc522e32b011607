import { entries } from '#contract/keepers/entries.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listEntryHistory, listEntryReads } from './entry-history.ts'
import { listTrash } from './list-trash.ts'
import { restoreEntry } from './restore-entry.ts'

export function entryRoutes(services: Services): ServedCall[] {
  return serveArea('entries', entries, {
    trash: ({ person, query }) => listTrash(services, person, query),
    restore: ({ person, params }) => restoreEntry(services, person, params),
    history: ({ person, params, query }) => listEntryHistory(services, person, params, query.cursor),
    reads: ({ person, params, query }) => listEntryReads(services, person, params, query.cursor),
  })
}
