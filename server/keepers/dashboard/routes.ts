import { dashboards } from '#contract/keepers/dashboard.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import { unbuiltArea } from '#server/http/unbuilt.ts'
import type { Services } from '#server/services.ts'

export function dashboardRoutes(_services: Services): ServedCall[] {
  return unbuiltArea('dashboards', dashboards as never)
}
