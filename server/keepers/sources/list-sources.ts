import { sql } from 'kysely'
import type { SourceSummary } from '#contract/keepers/sources.ts'
import type { Person } from '#server/accounts/person.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import { createTextCondition } from '#server/search-index/find-indexed.ts'
import type { Services } from '#server/services.ts'
import { excerptSourceLength } from '../excerpt.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { toSourceSummary } from './source-view.ts'

const defaultPageSize = 100

const newestFirst: PageOrder = [
  [sql.ref('occurred_at'), 'desc'],
  [sql.ref('id'), 'desc'],
]

interface SourceFilter {
  q?: string | undefined
  cursor?: string | undefined
  limit?: number | undefined
}

/** Newest first. @throws Problem 404; 400 for an invalid cursor */
export async function listSources(
  services: Services,
  person: Person,
  keeperId: string,
  { q, cursor, limit = defaultPageSize }: SourceFilter,
): Promise<Reply<SourceSummary[]>> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { id: containerId, owner_id: ownerId } = keeper
  const text =
    q && (await createTextCondition(services, { ownerId, containerId, entity: 'source', id: 'sources.id', q }))
  const query = db
    .selectFrom('sources')
    .select(['id', 'keeper_id', 'owner_id', 'created_at', 'updated_at', 'deleted_at', 'rev'])
    .select(['kind', 'title', 'message_count', 'occurred_at', 'keepable', 'ai_visible', 'source_kind', 'source_id'])
    .select(sql<string>`substr(text, 1, ${sql.lit(excerptSourceLength)})`.as('text'))
    .where('keeper_id', '=', keeper.id)
    .where('owner_id', '=', keeper.owner_id)
    .where('deleted_at', 'is', null)
    .where(text || sql<boolean>`true`)
  const { rows, next_cursor } = await readPage(query, {
    order: newestFirst,
    after: parseCursor(cursor, [0, '']),
    getPosition: ({ occurred_at, id }) => [occurred_at, id],
    pageSize: limit,
    read: (page) => db.longRead(page),
  })
  return new Reply(rows.map(toSourceSummary), { extra: { next_cursor } })
}
