import { memoryCards } from '#contract/keepers/memory-cards.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function memoryCardRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('memoryCards', memoryCards as never)
}
