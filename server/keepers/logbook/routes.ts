import { logbook } from '#contract/keepers/logbook.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function logbookRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('logbook', logbook as never)
}
