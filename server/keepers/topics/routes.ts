import { topics } from '#contract/keepers/topics.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function topicRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('topics', topics as never)
}
