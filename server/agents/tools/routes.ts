import { personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { tools } from '#contract/agents/tools.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listTools } from './available-tools.ts'
import {
  createPersonalToolServer,
  listPersonalToolServers,
  removePersonalToolServer,
} from './personal/personal-tool-servers.ts'
import { finishSignIn, startSignIn } from './personal/sign-in.ts'
import { listToolServers, setTrust } from './tool-servers.ts'

export function toolRoutes(services: Services): ServedCall[] {
  return serveArea('tools', tools, {
    list: ({ person, query }) => listTools(services, person, { fresh: query.fresh === 'true' }),
    servers: ({ query }) => listToolServers(services, query),
    trustServer: ({ person, params, body }) => setTrust(services, person, { id: params.id, trusted: body.trusted }),
  })
}

export function personalToolServerRoutes(services: Services): ServedCall[] {
  return serveArea('personalToolServers', personalToolServers, {
    list: ({ person, query }) => listPersonalToolServers(services, person, query),
    create: ({ person, body }) => createPersonalToolServer(services, person, body),
    remove: ({ person, params }) => removePersonalToolServer(services, person, params.id),
    startSignIn: ({ person, params, body }) => startSignIn(services, person, params.id, body),
    finishSignIn: ({ person, body }) => finishSignIn(services, person, body),
  })
}
