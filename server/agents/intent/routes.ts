import { intent } from '#contract/agents/intent.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuilt } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function intentRoutes(_services: Services): ServedCall[] {
  return serveArea('intent', intent, unbuilt(intent))
}
