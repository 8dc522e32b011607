import { customDomains } from '#contract/domains/custom-domains.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function customDomainRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('customDomains', customDomains)
}
