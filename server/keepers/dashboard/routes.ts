import { dashboards } from '#contract/keepers/dashboard.ts'
import { type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listKeeperEvents } from './recent-events.ts'
import { showDashboard } from './show-dashboard.ts'

const defaultEventLimit = 20

export function dashboardRoutes(services: Services): ServedCall[] {
  return serveArea('dashboards', dashboards, {
    show: ({ person, params, query }) => showDashboard(services, person, params.id, query),
    events: ({ person, query }) => listKeeperEvents(services, person, query.limit ?? defaultEventLimit),
  })
}
