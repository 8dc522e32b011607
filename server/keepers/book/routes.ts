import { book } from '#contract/keepers/book.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { listBookEntries, outlineBook } from './book-plan.ts'

export function bookRoutes(services: Services): ServedCall[] {
  return serveArea('book', book, {
    outline: async ({ person, params, query }) =>
      outlineBook(services, await requireKeeperFor(services, person, params.id), query),
    entries: ({ person, params, query }) => listBookEntries(services, person, params.id, query),
    epub: async ({ person, params, query }) => {
      // Loaded on first use: its Markdown parser would slow every start.
      const { exportEpub } = await import('./export-epub.ts')
      return exportEpub(services, person, params.id, query)
    },
  })
}
