import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuilt } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function keeperTypeRoutes(_services: Services): ServedCall[] {
  return serveArea('keeperTypes', keeperTypes, unbuilt(keeperTypes))
}
