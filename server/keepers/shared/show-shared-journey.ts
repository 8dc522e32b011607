import type {
  SharedJourney,
  SharedJourneyPoint,
  SharedMoment,
  SharedPath,
} from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireDomainAccess } from '#server/domains/domain-access.ts'
import { selectReadableIndividualJourneys, selectReadableKeeperJourneys } from '#server/domains/readable-shares.ts'
import { Problem } from '#server/http/problem.ts'
import { formatTimeCursor, parseTimeCursor } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { loadTimelinePage, queryJourneyMoments } from '../journeys/journey-view.ts'
import { loadPathsPage } from '../journeys/paths.ts'
import {
  createReadableMomentCondition,
  type PageQuery,
  readMomentsPage,
  roleColumns,
  toRoles,
  toSharedMoments,
  toSharedPath,
  toSharedTimelineItem,
} from './shared-views.ts'

export function createJourneyNotFound(): Problem {
  return new Problem('not-found', { message: 'Journey not found' })
}

type SharedJourneyDetails = SharedJourney & {
  paths: SharedPath[]
  paths_cursor: string | null
  beads: SharedJourneyPoint[]
  moments: SharedMoment[]
  next_cursor: string | null
  beads_cursor: string | null
}

/** A journey shared individually, with its moments, or through its keeper, with the moments shared in this domain.
 * @throws Problem 404; 400 for an invalid cursor */
export async function showSharedJourney(
  services: Services,
  person: Person,
  { id: domainId, journeyId }: { id: string; journeyId: string },
  { pathsCursor, ...page }: PageQuery & { pathsCursor?: string | undefined },
): Promise<SharedJourneyDetails> {
  const { db } = services
  await requireDomainAccess(services, person, domainId, 'see')
  const [[sharedIndividually], [sharedWithKeeper]] = await Promise.all([
    listIndividualJourneys(services, person, domainId, journeyId),
    listKeeperJourneys(services, person, domainId, { journeyId }),
  ])
  const journey = sharedIndividually
    ? { ...sharedIndividually, keeperId: sharedWithKeeper?.keeperId ?? null }
    : sharedWithKeeper
  if (!journey) throw createJourneyNotFound()
  const journeyMoments = db
    .selectFrom('moments')
    .where(
      'moments.id',
      'in',
      db.selectFrom(queryJourneyMoments(services, [journeyId]).as('linked')).select('linked.id'),
    )
    .where(createReadableMomentCondition(services, person, domainId))
  const [{ paths, next_cursor: paths_cursor }, readableRows, { rows, next_cursor }] = await Promise.all([
    loadPathsPage(services, journeyId, pathsCursor),
    journeyMoments.select('moments.id').execute(),
    readMomentsPage(journeyMoments.selectAll('moments'), page),
  ])
  const readableIds = new Set(readableRows.map(({ id }) => id))
  const position = page.cursor === undefined ? undefined : parseTimeCursor(page.cursor)
  const { items: timelineItems, next_cursor: nextTimelineCursor } = await loadTimelinePage(
    services,
    journeyId,
    position && [position.at, position.id],
    createReadableMomentCondition(services, person, domainId),
  )
  const [oldest] = timelineItems
  return {
    ...journey,
    paths: paths.map((path) => toSharedPath(path, readableIds)),
    paths_cursor,
    beads: timelineItems.map(toSharedTimelineItem),
    moments: await toSharedMoments(services, rows),
    next_cursor,
    beads_cursor:
      nextTimelineCursor !== null && oldest ? formatTimeCursor(Date.parse(oldest.occurredAt), oldest.id) : null,
  }
}

const journeyColumns = [
  'journeys.id',
  'journeys.title',
  'journeys.purpose',
  'journeys.status',
  'journeys.color',
  'share.shared_at',
  'people.id as sharer_id',
  'people.name as sharer_name',
] as const

export async function listIndividualJourneys(
  services: Services,
  person: Pick<Person, 'id'>,
  domainId: string,
  journeyId?: string,
): Promise<SharedJourney[]> {
  const rows = await selectReadableIndividualJourneys(services, person, domainId)
    .innerJoin('people', 'people.id', 'share.owner_id')
    .select([...journeyColumns, ...roleColumns])
    .$if(journeyId !== undefined, (query) => query.where('journeys.id', '=', journeyId ?? ''))
    .orderBy('share.shared_at', 'desc')
    .orderBy('journeys.id')
    .execute()
  return rows.map((row) => toSharedJourney(person, row, null))
}

export async function listKeeperJourneys(
  services: Services,
  person: Pick<Person, 'id'>,
  domainId: string,
  filter: { keeperId: string } | { journeyId: string },
): Promise<SharedJourney[]> {
  const rows = await selectReadableKeeperJourneys(services, person, domainId)
    .innerJoin('people', 'people.id', 'share.owner_id')
    .select([...journeyColumns, ...roleColumns, 'share.keeper_id'])
    .where((where) =>
      'keeperId' in filter
        ? where('share.keeper_id', '=', filter.keeperId)
        : where('journeys.id', '=', filter.journeyId),
    )
    .orderBy('journeys.created_at', 'desc')
    .orderBy('journeys.id')
    .execute()
  return rows.map((row) => toSharedJourney(person, row, row.keeper_id))
}

type SharedJourneyRow = Parameters<typeof toRoles>[0] & {
  id: string
  title: string
  purpose: string
  status: SharedJourney['status']
  color: SharedJourney['color']
  shared_at: number
  sharer_id: string
  sharer_name: string | null
}

const toSharedJourney = (
  reader: Pick<Person, 'id'>,
  row: SharedJourneyRow,
  keeperId: string | null,
): SharedJourney => ({
  id: row.id,
  title: row.title,
  purpose: row.purpose,
  status: row.status,
  color: row.color,
  owner: { id: row.sharer_id, name: row.sharer_name, isMe: row.sharer_id === reader.id },
  keeperId,
  roles: toRoles(row),
  sharedAt: new Date(row.shared_at).toISOString(),
})
