import { reflections } from '#contract/keepers/reflections.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function reflectionRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('reflections', reflections as never)
}
