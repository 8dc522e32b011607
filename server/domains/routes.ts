import { domains } from '#contract/domains/domains.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { domainsOf } from './domains-of.ts'
import { searchPeople } from './search-people.ts'

export function domainRoutes(services: Services): ServedCall[] {
  return serveArea('domains', domains, {
    mine: ({ person }) => domainsOf(services, person),
    searchPeople: ({ person, query }) => searchPeople(services, person, query.query),
  })
}
