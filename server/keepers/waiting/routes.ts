import { waiting } from '#contract/keepers/waiting.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { showWaiting } from './show-waiting.ts'

export function waitingRoutes(services: Services): ServedCall[] {
  return serveArea('waiting', waiting, { show: ({ person }) => showWaiting(services, person) })
}
