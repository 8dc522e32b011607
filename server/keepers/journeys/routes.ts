import { journeys } from '#contract/keepers/journeys.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function journeyRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('journeys', journeys as never)
}
