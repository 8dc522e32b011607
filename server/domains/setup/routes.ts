import { domainSetups } from '#contract/domains/domain-setup.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function domainSetupRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('domainSetups', domainSetups)
}
