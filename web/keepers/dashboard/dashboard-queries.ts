import { useQuery } from '@tanstack/react-query'
import { dashboards } from '#contract/keepers/dashboard.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { call } from '#web/api.ts'
import { ownTimeZone } from '#web/ui/format-time.ts'
import { keeperKey } from '../keeper-queries.ts'
import { today } from '../moments/day-words.ts'
import { isSampleKeeper } from '../samples/sample-keepers.ts'

/** Today where the reader is. */
export function useDashboard(keeper: Keeper) {
  const date = today()
  return useQuery({
    queryKey: keeperKey(keeper.id, 'dashboard', date),
    queryFn: async ({ signal }) =>
      isSampleKeeper(keeper.id)
        ? (await import('../samples/sample-dashboard.ts')).sampleDashboard(keeper.id, date)
        : call(dashboards.show, { params: { id: keeper.id }, query: { date, timezone: ownTimeZone() }, signal }),
  })
}
