import { versions } from '#contract/agents/versions.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuilt } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function versionRoutes(_services: Services): ServedCall[] {
  return serveArea('versions', versions, unbuilt(versions))
}
