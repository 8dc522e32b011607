import { entries } from '#contract/keepers/entries.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { entryHistory, entryReads } from './entry-past.ts'
import { listBin } from './list-bin.ts'
import { restoreEntry } from './restore-entry.ts'

export function entryRoutes(services: Services): ServedCall[] {
  return serveArea('entries', entries, {
    bin: ({ person, query }) => listBin(services, person, query),
    restore: ({ person, params }) => restoreEntry(services, person, params),
    history: ({ person, params, query }) => entryHistory(services, person, params, query.cursor),
    reads: ({ person, params, query }) => entryReads(services, person, params, query.cursor),
  })
}
