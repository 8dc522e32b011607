import { administration } from '#contract/administration/administration.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function administrationRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('administration', administration)
}
