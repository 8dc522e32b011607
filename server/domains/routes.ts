import { domains } from '#contract/domains/domains.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'
import { domainsOf } from './domains-of.ts'
import { searchPeople } from './search-people.ts'

export function domainRoutes(services: Services): ServedCall[] {
  const { mine, searchPeople: search, ...later } = domains
  return [
    ...unbuiltArea('domains', later),
    ...serveArea(
      'domains',
      { mine, searchPeople: search },
      {
        mine: ({ person }) => domainsOf(services, person),
        searchPeople: ({ person, query }) => searchPeople(services, person, query.query),
      },
    ),
  ]
}
