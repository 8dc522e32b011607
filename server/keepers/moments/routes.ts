import { moments } from '#contract/keepers/moments.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function momentRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('moments', moments as never)
}
