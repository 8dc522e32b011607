import { boardLive } from '#contract/boards/board-live.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { announcePresence } from './announce-presence.ts'
import { publishChange } from './publish-change.ts'

export function boardLiveRoutes(services: Services): ServedCall[] {
  return serveArea('boardLive', boardLive, {
    presence: ({ person, params, body }) => announcePresence(services, person, params.id, body),
    changes: ({ person, params, body }) => publishChange(services, person, params.id, body),
  })
}
