import { search } from '#contract/keepers/search.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { searchContent } from './search-content.ts'

export function searchRoutes(services: Services): ServedCall[] {
  return serveArea('search', search, {
    find: ({ person, query }) => searchContent(services, person, query),
  })
}
