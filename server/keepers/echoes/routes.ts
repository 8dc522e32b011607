import { echoes } from '#contract/keepers/echoes.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function echoRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('echoes', echoes as never)
}
