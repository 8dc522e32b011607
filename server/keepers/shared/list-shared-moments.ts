import { type SelectQueryBuilder, sql } from 'kysely'
import type { SharedMoment } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import { selectReadableKeepers } from '#server/domains/readable-shares.ts'
import { type PageOrder, readPage } from '#server/http/pages.ts'
import { formatTimeCursor, parseTimeCursor } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { createKeeperNotFound } from '../keeper-access.ts'
import type { MomentRow } from '../moments/moment-view.ts'
import { toSharedMoments } from './shared-views.ts'

export interface PageQuery {
  cursor?: string | undefined
  limit?: number | undefined
}
const pageSize = 50

/** Newest first by date of the moment. @throws Problem 404; 400 for an invalid cursor */
export async function listSharedMoments(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
  page: PageQuery,
): Promise<{ items: SharedMoment[]; next_cursor: string | null }> {
  await requireDomainTo(services, person, domainId, 'see')
  const readableKeeper = selectReadableKeepers(services, person, domainId)
    .where('share.keeper_id', '=', keeperId)
    .where('share.with_moments', '=', true)
    .select('share.keeper_id')
  if (!(await readableKeeper.executeTakeFirst())) throw createKeeperNotFound()
  const { rows, next_cursor } = await readMomentsPage(
    services.db
      .selectFrom('moments')
      .selectAll('moments')
      .where('moments.keeper_id', '=', keeperId)
      .where((where) => where.exists(readableKeeper))
      .where('moments.deleted_at', 'is', null),
    page,
  )
  return { items: await toSharedMoments(services, rows), next_cursor }
}

const newestFirst: PageOrder = [
  [sql.ref('moments.occurred_at'), 'desc'],
  [sql.ref('moments.id'), 'desc'],
]

/** Newest first by date of the moment. @throws Problem 400 for an invalid cursor */
export function readMomentsPage(
  moments: SelectQueryBuilder<Schema, 'moments', MomentRow>,
  { cursor, limit = pageSize }: PageQuery,
) {
  const position = cursor === undefined ? undefined : parseTimeCursor(cursor)
  // Compared as a pair, which uses the index; the condition of `readPage` is slower here.
  const momentsAfter = position
    ? moments.where(sql<boolean>`(moments.occurred_at, moments.id) < (${position.at}, ${position.id})`)
    : moments
  return readPage(momentsAfter, {
    order: newestFirst,
    after: undefined,
    getPosition: ({ occurred_at, id }) => [occurred_at, id],
    formatCursor: ({ occurred_at, id }) => formatTimeCursor(occurred_at, id),
    pageSize: limit,
    size: sql<number>`octet_length(moments.body)`,
  })
}
