import { audit } from '#contract/administration/audit.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function auditRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('audit', audit)
}
