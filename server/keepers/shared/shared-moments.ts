import { type SelectQueryBuilder, sql } from 'kysely'
import type { SharedMoment } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import { keepersToRead } from '#server/domains/readable-shares.ts'
import { type Order, readPage } from '#server/http/pages.ts'
import { cursorAfter, placeOf } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { keeperNotFound } from '../keeper-access.ts'
import type { MomentRow } from '../moments/moment-view.ts'
import { sharedMomentViews } from './shared-views.ts'

export interface Page {
  cursor?: string | undefined
  limit?: number | undefined
}
const pageSize = 50

/** Newest first by date of the moment. @throws Problem 404; 400 for an invalid cursor */
export async function sharedMoments(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
  page: Page,
): Promise<{ items: SharedMoment[]; next_cursor: string | null }> {
  await requireDomainTo(services, person, domainId, 'see')
  const readable = keepersToRead(services, person, domainId)
    .where('share.keeper_id', '=', keeperId)
    .where('share.with_moments', '=', true)
    .select('share.keeper_id')
  if (!(await readable.executeTakeFirst())) throw keeperNotFound()
  const { rows, next_cursor } = await readMomentsPage(
    services.db
      .selectFrom('moments')
      .selectAll('moments')
      .where('moments.keeper_id', '=', keeperId)
      .where((where) => where.exists(readable))
      .where('moments.deleted_at', 'is', null),
    page,
  )
  return { items: await sharedMomentViews(services, rows), next_cursor }
}

const newestFirst: Order = [
  [sql.ref('moments.occurred_at'), 'desc'],
  [sql.ref('moments.id'), 'desc'],
]

/** Newest first by date of the moment. @throws Problem 400 for an invalid cursor */
export function readMomentsPage(
  moments: SelectQueryBuilder<Schema, 'moments', MomentRow>,
  { cursor, limit = pageSize }: Page,
) {
  const end = cursor === undefined ? undefined : placeOf(cursor)
  // Compared as a pair, which uses the index; the condition of `readPage` is slower here.
  const following = end
    ? moments.where(sql<boolean>`(moments.occurred_at, moments.id) < (${end.at}, ${end.id})`)
    : moments
  return readPage(following, {
    order: newestFirst,
    after: undefined,
    placeOf: ({ occurred_at, id }) => [occurred_at, id],
    formatCursor: ({ occurred_at, id }) => cursorAfter(occurred_at, id),
    most: limit,
    size: sql<number>`octet_length(moments.body)`,
  })
}
