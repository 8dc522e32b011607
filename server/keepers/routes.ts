import { keepers } from '#contract/keepers/keepers.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function keeperRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('keepers', keepers as never)
}
