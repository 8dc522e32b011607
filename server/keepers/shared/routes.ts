import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function sharedRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('sharingInDomains', sharingInDomains)
}
