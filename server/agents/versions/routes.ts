import { versions } from '#contract/agents/versions.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { exportAgent, importAgent } from './agent-file.ts'
import { listVersions, restoreVersion, showVersion } from './versions.ts'

export function versionRoutes(services: Services): ServedCall[] {
  return serveArea('versions', versions, {
    list: ({ person, params, query }) => listVersions(services, person, params.agentId, query),
    show: ({ person, params }) => showVersion(services, person, params),
    restore: ({ person, params }) => restoreVersion(services, person, params),
    exportFile: ({ person, params }) => exportAgent(services, person, params.agentId),
    importFile: ({ person, body }) => importAgent(services, person, body),
  })
}
