import { usageCalls } from '#contract/agents/usage.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuilt } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function usageRoutes(_services: Services): ServedCall[] {
  return serveArea('usage', usageCalls, unbuilt(usageCalls))
}
