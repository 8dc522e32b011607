import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Moment, moments } from '#contract/keepers/moments.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import { type Database, prepareQuery } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { takeFittingRows } from '#server/http/pages.ts'
import { formatTimeCursor, parseTimeCursor } from '#server/http/time-cursor.ts'
import { createTextCondition } from '#server/search-index/find-indexed.ts'
import type { Services } from '#server/services.ts'
import { isActiveIn, requireKeeperFor } from '../keeper-access.ts'
import { createSpotSql, resolveSpots } from './moment-places.ts'
import { type ListedMoment, momentColumns, toMoments } from './moment-view.ts'

type MomentFilter = z.output<NonNullable<typeof moments.list.query>>
type OrderedMoment = ListedMoment & { ordered_at: number }
type MomentQuery = SelectQueryBuilder<Schema, 'moments', OrderedMoment>
const pageSize = 50

/** Conditions that indexes answer. */
type PageConditions = {
  keeperId: string
  topicId: string | undefined
  journeyId: string | undefined
  from: string | undefined
  to: string | undefined
  day: string | undefined
  after: number | undefined
  afterId: string | undefined
  limit: number
}

/** Conditions that read all moments. */
interface ScanConditions extends Pick<MomentFilter, 'mood' | 'withMedia'> {
  spots: readonly string[] | undefined
  text: RawBuilder<boolean> | undefined
}

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
  const text = filter.q === undefined ? undefined : await createTextCondition(services, keeper, 'moment', filter.q)
  const { journeyId, from, to, mood, withMedia } = filter
  const position = filter.cursor === undefined ? undefined : parseTimeCursor(filter.cursor)
  const range = from === to ? { day: from, from: undefined, to: undefined } : { day: undefined, from, to }
  const { at: after, id: afterId } = position ?? {}
  const conditions = { keeperId: keeper.id, topicId, journeyId, ...range, after, afterId, limit: limit + 1 }
  const isScan = text !== undefined || spots !== undefined || withMedia !== undefined || mood !== undefined
  const rows = isScan
    ? await db.longRead(addScanConditions(services, selectPage(db, conditions), { mood, withMedia, spots, text }))
    : await readPageRows(db, conditions)
  const sizedRows = rows.map((row) => ({ row, size: Buffer.byteLength(row.body) }))
  const visibleRows = takeFittingRows(sizedRows, limit).map(({ row }) => row)
  const last = rows.length > visibleRows.length ? visibleRows.at(-1) : undefined
  return {
    items: await toMoments(services, visibleRows),
    next_cursor: last ? formatTimeCursor(last.ordered_at, last.id) : null,
  }
}

async function readPageRows(db: Database, conditions: PageConditions): Promise<OrderedMoment[]> {
  const fittingCount = takeFittingRows(await sizesQuery.all(db, conditions)).length
  return pageQuery.all(db, { ...conditions, limit: Math.min(fittingCount + 1, conditions.limit) })
}

const pageQuery = prepareQuery<PageConditions>()(selectPage)
const sizesQuery = prepareQuery<PageConditions>()((db, conditions) =>
  selectPage(db, conditions)
    .clearSelect()
    .select([getOrderColumn(conditions).as('ordered_at'), sql<number>`octet_length(moments.body)`.as('size')]),
)

const getOrderColumn = ({ topicId }: PageConditions) =>
  sql.ref<number>(topicId === undefined ? 'moments.occurred_at' : 'entry_topics.said_at')

function selectPage(db: Database, conditions: PageConditions): MomentQuery {
  const { from, to, day, after, afterId, limit } = conditions
  const moments = conditions.topicId === undefined ? selectOfKeeper(db, conditions) : selectOfTopic(db, conditions)
  let query = moments.where('moments.deleted_at', 'is', null)
  if (conditions.journeyId !== undefined) query = query.where('moments.journey_id', '=', conditions.journeyId)
  if (day !== undefined) query = query.where('moments.local_date', '=', day)
  if (from !== undefined) query = query.where('moments.local_date', '>=', from)
  if (to !== undefined) query = query.where('moments.local_date', '<=', to)
  if (after !== undefined)
    query = query.where(sql<boolean>`(${getOrderColumn(conditions)}, moments.id) < (${after}, ${afterId})`)
  return query
    .select(momentColumns.map((column) => `moments.${column}` as const))
    .select(getOrderColumn(conditions).as('ordered_at'))
    .orderBy('ordered_at', 'desc')
    .orderBy('moments.id', 'desc')
    .limit(sql<number>`${limit} + 0`)
}

/** Uses the index on occurrence, or on the journey, where the keeper is only a condition. */
function selectOfKeeper(db: Database, { keeperId, journeyId }: PageConditions) {
  const moments = db.selectFrom('moments')
  return journeyId === undefined
    ? moments.where('keeper_id', '=', keeperId)
    : moments.where(sql<boolean>`keeper_id || '' = ${keeperId}`)
}

/** Uses the index on mentions, which repeat the instant of their moment. */
function selectOfTopic(db: Database, { topicId, after }: PageConditions) {
  const mentions = db
    .selectFrom('entry_topics')
    // A cross join, so that SQLite does not scan all moments.
    .crossJoin('moments')
    .whereRef('moments.id', '=', 'entry_topics.entity_id')
    .where('entry_topics.topic_id', '=', topicId as string)
    .where('entry_topics.entity', '=', 'moment')
  // Implied by the position, but only this makes SQLite seek in the index.
  return after === undefined ? mentions : mentions.where('entry_topics.said_at', '<=', after)
}

function addScanConditions({ db }: Services, moments: MomentQuery, conditions: ScanConditions): MomentQuery {
  const { mood, spots, withMedia, text } = conditions
  let query = text ? moments.where(text) : moments
  if (mood !== undefined) query = query.where('moments.mood_score', '=', mood)
  if (spots !== undefined)
    query = query.where('moments.place', 'is not', null).where(createSpotSql(db.engine), 'in', spots)
  if (withMedia)
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('media')
          .select('media.id')
          .where('media.entity', '=', 'moment')
          .whereRef('media.entity_id', '=', 'moments.id'),
      ),
    )
  return query
}

async function findTopicId({ db }: Services, keeperId: string, topicText: string): Promise<string | null> {
  const normalized = normalizeTopicName(topicText)
  const rows = await db
    .selectFrom('topics')
    .leftJoin('topic_aliases', (join) =>
      join.onRef('topic_aliases.topic_id', '=', 'topics.id').on('topic_aliases.alias_folded', '=', normalized),
    )
    .select(['topics.id', 'topics.name_folded'])
    .where(isActiveIn(keeperId, 'topics'))
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
