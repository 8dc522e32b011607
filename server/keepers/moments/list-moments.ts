import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Moment, moments } from '#contract/keepers/moments.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { takePage } from '#server/http/page-bytes.ts'
import { formatTimeCursor, parseTimeCursor } from '#server/http/time-cursor.ts'
import { createTextCondition } from '#server/search-index/find-indexed.ts'
import type { Services } from '#server/services.ts'
import { type KeeperRow, requireKeeperFor } from '../keeper-access.ts'
import { createSpotSql, resolveSpots } from './moment-places.ts'
import { type MomentRow, toMoments } from './moment-view.ts'

type MomentFilter = z.output<NonNullable<typeof moments.list.query>>
type OrderedMoment = MomentRow & { ordered_at: number }
type MomentQuery = SelectQueryBuilder<Schema, 'moments', OrderedMoment>
const pageSize = 50

/** Newest first by occurrence. @throws Problem 404; 400 for an invalid cursor */
export async function listMoments(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
  filter: MomentFilter,
): Promise<{ items: Moment[]; next_cursor: string | null }> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  const limit = filter.limit ?? pageSize
  const topicId = filter.topic === undefined ? undefined : await findTopicId(services, keeper.id, filter.topic)
  const spots = filter.spot === undefined ? undefined : await resolveSpots(services, keeper.id, filter.spot)
  if (topicId === null || spots?.length === 0) return { items: [], next_cursor: null }
  const text = filter.q === undefined ? undefined : await matchText(services, keeper, filter.q)
  const baseQuery = topicId
    ? queryByTopic(services, topicId, filter.cursor)
    : queryByKeeper(services, keeper.id, filter)
  const query = applyFilter(services, baseQuery, filter, { spots, text })
    .orderBy('ordered_at', 'desc')
    .orderBy('moments.id', 'desc')
  const isFullScan = filter.q || filter.withMedia || filter.mood !== undefined || filter.spot !== undefined
  const count = isFullScan ? limit : await countFittingRows(query, { isOfTopic: topicId !== undefined, limit })
  const page = query.limit(count + 1)
  const rows = isFullScan ? await db.longRead<OrderedMoment>(page) : await page.execute()
  const sizedRows = rows.map((row) => ({ row, size: Buffer.byteLength(row.body) }))
  const visibleRows = takePage(sizedRows, limit).map(({ row }) => row)
  const last = rows.length > visibleRows.length ? visibleRows.at(-1) : undefined
  return {
    items: await toMoments(services, visibleRows),
    next_cursor: last ? formatTimeCursor(last.ordered_at, last.id) : null,
  }
}

async function countFittingRows(query: MomentQuery, { isOfTopic, limit }: { isOfTopic: boolean; limit: number }) {
  const orderedAt = sql.ref<number>(isOfTopic ? 'entry_topics.said_at' : 'moments.occurred_at').as('ordered_at')
  const size = sql<number>`octet_length(moments.body)`.as('size')
  const sizes = await query.clearSelect().select([orderedAt, size]).limit(limit).execute()
  return takePage(sizes, limit).length || limit
}

/** Uses the index on occurrence, or on the journey, where the keeper is only a condition. */
function queryByKeeper({ db }: Services, keeperId: string, { journeyId, cursor }: MomentFilter): MomentQuery {
  const moments = db.selectFrom('moments').selectAll('moments').select('moments.occurred_at as ordered_at')
  const baseQuery =
    journeyId === undefined
      ? moments.where('keeper_id', '=', keeperId)
      : moments.where('journey_id', '=', journeyId).where(sql<boolean>`keeper_id || '' = ${keeperId}`)
  if (cursor === undefined) return baseQuery as unknown as MomentQuery
  const { at, id } = parseTimeCursor(cursor)
  return baseQuery.where(sql<boolean>`(moments.occurred_at, moments.id) < (${at}, ${id})`) as unknown as MomentQuery
}

/** Uses the index on mentions, which repeat the instant of their moment. */
function queryByTopic({ db }: Services, topicId: string, cursor?: string): MomentQuery {
  const mentions = db
    .selectFrom('entry_topics')
    // A cross join, so that SQLite does not scan all moments.
    .crossJoin('moments')
    .whereRef('moments.id', '=', 'entry_topics.entity_id')
    .where('entry_topics.topic_id', '=', topicId)
    .where('entry_topics.entity', '=', 'moment')
    .selectAll('moments')
    .select('entry_topics.said_at as ordered_at')
  if (cursor === undefined) return mentions as unknown as MomentQuery
  const { at, id } = parseTimeCursor(cursor)
  return mentions.where(
    sql<boolean>`entry_topics.said_at <= ${at} and (entry_topics.said_at, moments.id) < (${at}, ${id})`,
  ) as unknown as MomentQuery
}

function applyFilter(
  services: Services,
  initial: MomentQuery,
  filter: MomentFilter,
  { spots, text }: { spots: readonly string[] | undefined; text: RawBuilder<boolean> | undefined },
): MomentQuery {
  let query = initial.where('moments.deleted_at', 'is', null)
  if (filter.from !== undefined && filter.from === filter.to)
    query = query.where('moments.local_date', '=', filter.from)
  else {
    if (filter.from !== undefined) query = query.where('moments.local_date', '>=', filter.from)
    if (filter.to !== undefined) query = query.where('moments.local_date', '<=', filter.to)
  }
  if (filter.journeyId !== undefined) query = query.where('moments.journey_id', '=', filter.journeyId)
  if (filter.mood !== undefined) query = query.where('moments.mood_score', '=', filter.mood)
  if (spots !== undefined)
    query = query.where('moments.place', 'is not', null).where(createSpotSql(services.db.engine), 'in', spots)
  if (filter.withMedia)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('media')
          .select('media.id')
          .where('media.entity', '=', 'moment')
          .whereRef('media.entity_id', '=', 'moments.id'),
      ),
    )
  return text ? query.where(text) : query
}

async function findTopicId({ db }: Services, keeperId: string, topicText: string): Promise<string | null> {
  const normalized = normalizeTopicName(topicText)
  const rows = await db
    .selectFrom('topics')
    .leftJoin('topic_aliases', (join) =>
      join.onRef('topic_aliases.topic_id', '=', 'topics.id').on('topic_aliases.alias_folded', '=', normalized),
    )
    .select(['topics.id', 'topics.name_folded'])
    .where('topics.keeper_id', '=', keeperId)
    .where('topics.deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('topics.id', '=', topicText),
        where.and([where('topics.name_folded', '=', normalized), where('topics.merged_into', 'is', null)]),
        where('topic_aliases.alias_folded', 'is not', null),
      ]),
    )
    .execute()
  const [match] = [
    ...rows.filter(({ id }) => id === topicText),
    ...rows.filter(({ name_folded }) => name_folded === normalized),
    ...rows,
  ]
  return match?.id ?? null
}

const matchText = (services: Services, keeper: KeeperRow, q: string) =>
  createTextCondition(services, {
    ownerId: keeper.owner_id,
    containerId: keeper.id,
    entity: 'moment',
    id: 'moments.id',
    q,
  })
