import { sql } from 'kysely'
import type { Journey } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { toJourneys } from './journey-view.ts'

const statusRank = sql<number>`case status when 'active' then 0 when 'planned' then 1 when 'paused' then 2 else 3 end`
const journeyOrder: PageOrder = [
  [statusRank, 'asc'],
  [sql.ref('created_at'), 'desc'],
  [sql.ref('id'), 'desc'],
]

/** By status (active, planned, paused, completed), then newest first. @throws Problem 404; 400 for an invalid cursor */
export async function listJourneys(
  services: Services,
  person: Person,
  keeperId: string,
  cursor?: string,
): Promise<Reply<Journey[]>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const journeysQuery = services.db
    .selectFrom('journeys')
    .selectAll()
    .select(statusRank.as('status_rank'))
    .where('keeper_id', '=', keeper.id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
  const { rows, next_cursor } = await readPage(journeysQuery, {
    order: journeyOrder,
    after: parseCursor(cursor, [0, 0, '']),
    getPosition: (row) => [row.status_rank, row.created_at, row.id],
    size: sql<number>`octet_length(purpose)`,
  })
  return new Reply(await toJourneys(services, rows), { extra: { next_cursor } })
}
