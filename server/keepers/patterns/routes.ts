import { memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function memoryPatternRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('memoryPatterns', memoryPatterns as never)
}
