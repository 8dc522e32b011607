import { customDomains } from '#contract/domains/custom-domains.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { attachHost, showDnsStatus, verifyHost } from './hosted-domain.ts'
import { showSite } from './serve-site.ts'

export function customDomainRoutes(services: Services): ServedCall[] {
  return serveArea('customDomains', customDomains, {
    status: ({ person, params }) => showDnsStatus(services, person, params.id),
    attach: ({ person, params, body, ifMatch }) => attachHost(services, person, params.id, body.customDomain, ifMatch),
    verify: ({ person, params }) => verifyHost(services, person, params.id),
    site: (call) => showSite(services, call.site),
  })
}
