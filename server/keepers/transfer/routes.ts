import { transfer } from '#contract/keepers/transfer.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function transferRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('transfer', transfer as never)
}
