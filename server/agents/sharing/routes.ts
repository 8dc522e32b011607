import { sharing } from '#contract/agents/sharing.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listGrants, setGrant } from './grants.ts'

export function agentSharingRoutes(services: Services): ServedCall[] {
  return serveArea('sharing', sharing, {
    list: ({ person, params }) => listGrants(services, person, params.agentId),
    grant: ({ person, params, body }) => setGrant(services, person, params, body.rights),
    revoke: async ({ person, params }) => void (await setGrant(services, person, params, [])),
  })
}
