import { entries } from '#contract/keepers/entries.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function entryRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('entries', entries as never)
}
