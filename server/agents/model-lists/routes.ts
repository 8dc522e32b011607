import { models } from '#contract/agents/models.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import { unbuilt } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function modelListRoutes(_services: Services): ServedCall[] {
  return serveArea('models', models, unbuilt(models))
}
