import { useQuery } from '@tanstack/react-query'
import { dashboards } from '#contract/keepers/dashboard.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { call } from '#web/api/api.ts'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'
import { keeperKey } from '../keeper-queries.ts'
import { getToday } from '../moments/format-day.ts'

/** Loads the dashboard for today in the reader's time zone. */
export function useDashboard(keeper: Keeper) {
  const date = getToday()
  return useQuery({
    queryKey: keeperKey(keeper.id, 'dashboard', date),
    queryFn: ({ signal }) =>
      call(dashboards.show, { params: { id: keeper.id }, query: { date, timezone: getLocalTimeZone() }, signal }),
  })
}
