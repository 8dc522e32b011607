import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Journey, JourneyPoint } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { orderByColumns, type PageOrder, type PagePosition, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime, toIsoTimeOrNull } from '#server/values/iso-time.ts'
import { toRecordFields } from '../entries/entry-tables.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { createPlainExcerpt, excerptSourceLength } from '../excerpt.ts'
import { isOwnedIn, requireKeeperFor } from '../keeper-access.ts'
import { type JourneyRow, loadPathsPage } from './paths.ts'

const newestFirst = orderByColumns({ occurred_at: 'desc', id: 'desc' })

export async function toJourney(services: Services, row: JourneyRow): Promise<Journey> {
  return (await toJourneys(services, [row]))[0] as Journey
}

async function toJourneys(services: Services, rows: readonly JourneyRow[]): Promise<Journey[]> {
  if (rows.length === 0) return []
  const { db } = services
  const ids = rows.map(({ id }) => id)
  const [paths, waypoints, moments] = await Promise.all([
    db
      .selectFrom('paths')
      .select(['journey_id', ({ fn }) => fn.countAll<number>().as('count')])
      .where('journey_id', 'in', ids)
      .where('deleted_at', 'is', null)
      .groupBy('journey_id')
      .execute(),
    db
      .selectFrom('waypoints')
      .innerJoin('paths', 'paths.id', 'waypoints.path_id')
      .select(({ fn }) => [
        'paths.journey_id',
        fn.countAll<number>().as('count'),
        fn.count<number>('waypoints.done_at').as('done'),
      ])
      .where('paths.journey_id', 'in', ids)
      .where('paths.deleted_at', 'is', null)
      .where('paths.state', '!=', 'not_taken')
      .groupBy('paths.journey_id')
      .execute(),
    db
      .selectFrom(queryJourneyMoments(services, ids).as('linked'))
      .select(['linked.journey_id', ({ fn }) => fn.countAll<number>().as('count')])
      .groupBy('linked.journey_id')
      .execute(),
  ])
  const findByJourney = <T extends { journey_id: string | null }>(countRows: T[], id: string) =>
    countRows.find(({ journey_id }) => journey_id === id)
  return rows.map((row) => ({
    ...toJourneyFields(row),
    _count: {
      Path: findByJourney(paths, row.id)?.count ?? 0,
      Waypoint: findByJourney(waypoints, row.id)?.count ?? 0,
      WaypointDone: findByJourney(waypoints, row.id)?.done ?? 0,
      Moment: findByJourney(moments, row.id)?.count ?? 0,
    },
  }))
}

export function toJourneyFields(row: JourneyRow) {
  return {
    ...toRecordFields(row),
    title: row.title,
    purpose: row.purpose,
    status: row.status,
    startedOn: row.started_on,
    endsOn: row.ends_on,
    completedAt: toIsoTimeOrNull(row.completed_at),
    color: row.color,
    aiVisible: row.ai_visible,
  }
}

interface TimelinePage {
  items: JourneyPoint[]
  next_cursor: string | null
}

/** Newest page first, each page oldest first. @param condition limits the visible moments */
export async function loadTimelinePage(
  services: Services,
  journeyId: string,
  cursorPosition: PagePosition | undefined,
  condition?: (where: ExpressionBuilder<Schema, 'moments'>) => Expression<SqlBool>,
): Promise<TimelinePage> {
  const journeyMoments = services.db
    .selectFrom('moments')
    .select(['id', 'occurred_at', 'local_date', 'title', 'pinned'])
    .select(sql<string>`substr(body, 1, ${sql.lit(excerptSourceLength)})`.as('text'))
    .where(
      'id',
      'in',
      services.db.selectFrom(queryJourneyMoments(services, [journeyId]).as('linked')).select('linked.id'),
    )
    .$if(condition !== undefined, (query) => query.where((where) => condition?.(where) ?? where.lit(true)))
  const { rows, next_cursor } = await readPage(journeyMoments, {
    ...newestFirst,
    after: cursorPosition,
  })
  const waypointByMoment = await findFirstWaypoints(
    services,
    journeyId,
    rows.map(({ id }) => id),
  )
  const items = rows.toReversed().map((row) => ({
    id: row.id,
    occurredAt: toIsoTime(row.occurred_at),
    localDate: row.local_date,
    title: row.title,
    excerpt: createPlainExcerpt(row.text),
    waypointId: waypointByMoment.get(row.id) ?? null,
    pinned: row.pinned,
  }))
  return { items, next_cursor }
}

async function findFirstWaypoints({ db }: Services, journeyId: string, momentIds: readonly string[]) {
  if (momentIds.length === 0) return new Map<string, string>()
  const links = await db
    .selectFrom('waypoint_moments')
    .innerJoin('waypoints', 'waypoints.id', 'waypoint_moments.waypoint_id')
    .innerJoin('paths', 'paths.id', 'waypoints.path_id')
    .select(['waypoint_moments.moment_id', 'waypoint_moments.waypoint_id'])
    .where('waypoint_moments.moment_id', 'in', momentIds)
    .where('paths.journey_id', '=', journeyId)
    .where('paths.deleted_at', 'is', null)
    .orderBy('paths.position', 'desc')
    .orderBy('paths.created_at', 'desc')
    .orderBy('paths.id', 'desc')
    .orderBy('waypoints.position', 'desc')
    .orderBy('waypoints.id', 'desc')
    .execute()
  return new Map(links.map(({ moment_id, waypoint_id }) => [moment_id, waypoint_id]))
}

export function queryJourneyMoments({ db }: Pick<Services, 'db'>, journeyIds: readonly string[] | Expression<string>) {
  return db
    .selectFrom('moments')
    .select(['moments.journey_id', 'moments.id'])
    .where('moments.journey_id', 'in', journeyIds)
    .where('moments.deleted_at', 'is', null)
    .union(
      db
        .selectFrom('waypoint_moments')
        .innerJoin('waypoints', 'waypoints.id', 'waypoint_moments.waypoint_id')
        .innerJoin('paths', 'paths.id', 'waypoints.path_id')
        .innerJoin('moments', 'moments.id', 'waypoint_moments.moment_id')
        .select(['paths.journey_id', 'moments.id'])
        .where('paths.journey_id', 'in', journeyIds)
        .where('paths.deleted_at', 'is', null)
        .where('moments.deleted_at', 'is', null),
    )
}

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
    .where(isOwnedIn(keeper))
  const { rows, next_cursor } = await readPage(journeysQuery, {
    order: journeyOrder,
    after: parseCursor(cursor, ['number', 'number', 'string']),
    getPosition: (row) => [row.status_rank, row.created_at, row.id],
    size: sql<number>`octet_length(purpose)`,
  })
  return new Reply(await toJourneys(services, rows), { extra: { next_cursor } })
}

/** With a page of its timeline. @throws Problem 404; 400 for an invalid cursor */
export async function showJourney(services: Services, person: Person, id: string, cursor?: string) {
  const row = await requireEntryFor(services, person, 'journey', id)
  const cursorPosition = parseCursor(cursor, ['number', 'string'])
  const [view, { paths, next_cursor: paths_cursor }, { items, next_cursor }] = await Promise.all([
    toJourney(services, row),
    loadPathsPage(services, id),
    loadTimelinePage(services, id, cursorPosition),
  ])
  return new Reply({ ...view, paths, paths_cursor, beads: items }, { extra: { next_cursor } })
}
