import { boardLive } from '#contract/boards/board-live.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { passChange } from './pass-change.ts'
import { sayPresence } from './say-presence.ts'

export function boardLiveRoutes(services: Services): ServedCall[] {
  return serveArea('boardLive', boardLive, {
    presence: ({ person, params, body }) => sayPresence(services, person, params.id, body),
    changes: ({ person, params, body }) => passChange(services, person, params.id, body),
  })
}
