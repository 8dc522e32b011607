import { tools } from '#contract/agents/tools.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuilt } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function toolRoutes(_services: Services): ServedCall[] {
  return serveArea('tools', tools, unbuilt(tools))
}
