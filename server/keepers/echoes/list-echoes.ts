import type { Echo } from '#contract/keepers/echoes.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { echoView } from './echo-view.ts'
import { noticeTime } from './notice-time.ts'

const mostShown = 1000

/** Ready ones first, then pending ones by their day, those without one after them, delivered ones last. */
export async function listEchoes(services: Services, person: Person, keeperId: string): Promise<Echo[]> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  await noticeTime(services, keeper.id)
  const now = services.now().getTime()
  const rows = await services.db
    .selectFrom('echoes')
    .selectAll()
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
    // The limit must not leave out what is ready because much was written since.
    .orderBy((build) =>
      build
        .case()
        .when('delivered_at', 'is not', null)
        .then(2)
        .when(build.or([build('ready_at', 'is not', null), build('trigger_at', '<=', now)]))
        .then(0)
        .else(1)
        .end(),
    )
    .orderBy('delivered_at', 'desc')
    .orderBy(({ fn, val }) => fn.coalesce('trigger_at', val(Number.MAX_SAFE_INTEGER)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostShown)
    .execute()
  return rows.map((row) => echoView(row, now)).sort(byTurn)
}

const rank = { ready: 0, pending: 1, delivered: 2 }

/** Rows come newest first, and the sort keeps that order where nothing else decides. */
function byTurn(a: Echo, b: Echo): number {
  return (
    rank[a.state] - rank[b.state] ||
    compared(b.deliveredAt ?? '', a.deliveredAt ?? '') ||
    compared(a.triggerDate ?? '~', b.triggerDate ?? '~')
  )
}

const compared = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
