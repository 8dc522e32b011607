import { sources } from '#contract/keepers/sources.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { keepDocument } from './keep-document.ts'
import { keepQuote } from './keep-quote.ts'
import { listDocuments, listSources, showSource, toSourceChanges, toSourceSummary } from './sources.ts'

export function sourceRoutes(services: Services): ServedCall[] {
  return serveArea('sources', sources, {
    list: ({ person, params, query }) => listSources(services, person, params.id, query),
    keepDocument: ({ person, params, body }) => keepDocument(services, person, params.id, body),
    listDocuments: ({ person }) => listDocuments(services, person),
    show: async ({ person, params }) =>
      showSource(services, await requireEntryFor(services, person, 'source', params.id)),
    async update({ person, params, body, ifMatch }) {
      const row = await saveEntry(services, person, {
        entity: 'source',
        id: params.id,
        ifMatch,
        changes: (current) => toSourceChanges(current, body),
        view: toSourceSummary,
      })
      return toSourceSummary(row)
    },
    remove: ({ person, params }) => trashEntry(services, person, 'source', params.id),
    keepQuote: ({ person, params, body }) => keepQuote(services, person, params.id, body),
  })
}
