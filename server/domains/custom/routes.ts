import { customDomains } from '#contract/domains/custom-domains.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { attachHost } from './attach-host.ts'
import { showSite } from './show-site.ts'
import { showDnsStatus } from './show-status.ts'
import { verifyHost } from './verify-host.ts'

export function customDomainRoutes(services: Services): ServedCall[] {
  return serveArea('customDomains', customDomains, {
    status: ({ person, params }) => showDnsStatus(services, person, params.id),
    attach: ({ person, params, body, ifMatch }) => attachHost(services, person, params.id, body.customDomain, ifMatch),
    verify: ({ person, params }) => verifyHost(services, person, params.id),
    site: (call) => showSite(services, call.site),
  })
}
