import { keeperMedia } from '#contract/keepers/media.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function keeperMediaRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('keeperMedia', keeperMedia as never)
}
