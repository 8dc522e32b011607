import { sole } from '#contract/keepers/sole.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function soleRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('sole', sole as never)
}
