import { engagementTemplates } from '#contract/keepers/engagement-templates.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function templateRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('engagementTemplates', engagementTemplates as never)
}
