import { sources } from '#contract/keepers/sources.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { trashEntry } from '../entries/trash-entry.ts'
import { keepQuote } from './keep-quote.ts'
import { listSources } from './list-sources.ts'
import { toSource, toSourceSummary } from './source-view.ts'

export function sourceRoutes(services: Services): ServedCall[] {
  return serveArea('sources', sources, {
    list: ({ person, params, query }) => listSources(services, person, params.id, query),
    show: async ({ person, params }) => toSource(await requireEntryFor(services, person, 'source', params.id)),
    async update({ person, params, body, ifMatch }) {
      const row = await saveEntry(services, person, {
        entity: 'source',
        id: params.id,
        ifMatch,
        changes: ({ title }) => (title === body.title ? {} : { title: body.title }),
        view: toSourceSummary,
      })
      return toSourceSummary(row)
    },
    async remove({ person, params }) {
      await trashEntry(services, person, 'source', params.id)
      return {}
    },
    keepQuote: ({ person, params, body }) => keepQuote(services, person, params.id, body),
  })
}
