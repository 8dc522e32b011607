import { domains } from '#contract/domains/domains.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuilt } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'
import { domainsOf } from './domains-of.ts'

export function domainRoutes(services: Services): ServedCall[] {
  return serveArea('domains', domains, {
    searchPeople: unbuilt(domains).searchPeople,
    mine: ({ person }) => domainsOf(services, person),
  })
}
