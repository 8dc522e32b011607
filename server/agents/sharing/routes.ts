import { sharing } from '#contract/agents/sharing.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuilt } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function sharingRoutes(_services: Services): ServedCall[] {
  return serveArea('sharing', sharing, unbuilt(sharing))
}
