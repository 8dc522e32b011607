import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import type { SharedJourneyPoint, SharedMoment, SharedPath } from '#contract/domains/sharing-in-domains.ts'
import type { JourneyPoint, Path } from '#contract/keepers/journeys.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { selectReadableIndividualJourneys, selectReadableKeepers } from '#server/domains/readable-shares.ts'
import { orderByColumns, readPage } from '#server/http/pages.ts'
import { formatTimeCursor, parseTimeCursor } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { queryJourneyMoments } from '../journeys/journey-view.ts'
import { type MomentRow, toMoments } from '../moments/moment-view.ts'

/** Lists each field, so that new fields of a moment are not shared automatically. */
export async function toSharedMoments(services: Services, rows: MomentRow[]): Promise<SharedMoment[]> {
  return (await toMoments(services, rows)).map((moment) => ({
    id: moment.id,
    occurredAt: moment.occurredAt,
    localDate: moment.localDate,
    timezone: moment.timezone,
    title: moment.title,
    body: moment.body,
    mood: moment.mood,
    weather: moment.weather,
    place: moment.place && { name: moment.place.name },
    topics: moment.topics.map(({ name }) => ({ name })),
    media: moment.media.map(({ id, kind, mime, bytes, name, alt, width, height, durationMs }) => ({
      id,
      kind,
      mime,
      bytes,
      name,
      alt,
      width,
      height,
      durationMs,
    })),
  }))
}

export function toSharedPath(path: Path, readable: ReadonlySet<string>): SharedPath {
  const { id, title, state, position, waypoints } = path
  return {
    id,
    title,
    state,
    position,
    waypoints: waypoints.map((waypoint) => ({
      ...waypoint,
      momentIds: waypoint.momentIds.filter((momentId) => readable.has(momentId)),
    })),
  }
}

export function toSharedTimelineItem({
  id,
  occurredAt,
  localDate,
  title,
  excerpt,
  waypointId,
}: JourneyPoint): SharedJourneyPoint {
  return { id, occurredAt, localDate, title, excerpt, waypointId }
}

export const toRoles = (row: ReturnType<typeof toRoleColumns>): MemberRole[] =>
  memberRoles.filter((role) => row[`for_${role}`])

export const roleColumns = ['share.for_admin', 'share.for_user', 'share.for_friend', 'share.for_connection'] as const

/** Condition on `moments`: in a keeper shared with its moments, or on a journey shared by itself. */
export function createReadableMomentCondition(services: Services, reader: Pick<Person, 'id'>, domainId: string) {
  const keepers = selectReadableKeepers(services, reader, domainId)
    .where('share.with_moments', '=', true)
    .select('share.keeper_id')
  const journeys = selectReadableIndividualJourneys(services, reader, domainId).select('share.journey_id')
  const journeyMoments = services.db
    .selectFrom(queryJourneyMoments(services, sql<string>`${journeys}`).as('linked'))
    .select('linked.id')
  return (where: ExpressionBuilder<Schema, 'moments'>) =>
    where.and([
      where('moments.deleted_at', 'is', null),
      where.or([where('moments.keeper_id', 'in', keepers), where('moments.id', 'in', journeyMoments)]),
    ])
}

const pageSize = 50

const newestFirst = orderByColumns({ occurred_at: 'desc', id: 'desc' }, 'moments')

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
    ...newestFirst,
    after: undefined,
    formatCursor: ({ occurred_at, id }) => formatTimeCursor(occurred_at, id),
    pageSize: limit,
    size: sql<number>`octet_length(moments.body)`,
  })
}

/** Role columns of a share; its sharer and the domain owner always have access. */
export const toRoleColumns = (roles: readonly MemberRole[]) => ({
  for_admin: roles.includes('admin'),
  for_user: roles.includes('user'),
  for_friend: roles.includes('friend'),
  for_connection: roles.includes('connection'),
})

export interface PageQuery {
  cursor?: string | undefined
  limit?: number | undefined
}
