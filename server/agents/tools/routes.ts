import { tools } from '#contract/agents/tools.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listTools } from './known-tools.ts'
import { listToolServers, setTrust } from './tool-servers.ts'

export function toolRoutes(services: Services): ServedCall[] {
  return serveArea('tools', tools, {
    list: ({ query }) => listTools(services, { fresh: query.fresh === 'true' }),
    servers: ({ query }) => listToolServers(services, query),
    trustServer: ({ person, params, body }) => setTrust(services, person, { id: params.id, trusted: body.trusted }),
  })
}
