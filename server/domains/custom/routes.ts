import { customDomains } from '#contract/domains/custom-domains.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'
import { showSite } from './show-site.ts'

export function customDomainRoutes(services: Services): ServedCall[] {
  const { site, ...unbuilt } = customDomains
  return [
    ...unbuiltArea('customDomains', unbuilt),
    ...serveArea('customDomains', { site }, { site: (call) => showSite(services, call.site) }),
  ]
}
