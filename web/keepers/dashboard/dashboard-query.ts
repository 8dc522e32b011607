import { queryOptions } from '@tanstack/react-query'
import { dashboards } from '#contract/keepers/dashboard.ts'
import { call } from '#web/api/api.ts'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'
import { keeperKey } from '../keeper-queries.ts'

/** @param date today in the reader’s time zone, as `2026-11-30` */
export function dashboardQuery(keeperId: string, date: string) {
  return queryOptions({
    queryKey: keeperKey(keeperId, 'dashboard', date),
    queryFn: ({ signal }) =>
      call(dashboards.show, { params: { id: keeperId }, query: { date, timezone: getLocalTimeZone() }, signal }),
  })
}
