import { audit } from '#contract/administration/audit.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { exportAudit, readAudit } from './read-audit.ts'

export function auditRoutes(services: Services): ServedCall[] {
  return serveArea('audit', audit, {
    list: ({ query: { cursor, ...filter } }) => readAudit(services, filter, { cursor }),
    export: ({ query }) => exportAudit(services, query),
  })
}
