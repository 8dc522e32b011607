import type { SharedBead, SharedJourney, SharedMoment, SharedPath } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import { journeysOfKeepersToRead, loneJourneysToRead } from '#server/domains/readable-shares.ts'
import { Problem } from '#server/http/problem.ts'
import { cursorAfter, placeOf } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { beadsOf, momentsOn } from '../journeys/journey-view.ts'
import { readPaths } from '../journeys/list-paths.ts'
import { isMomentToRead } from './moments-to-read.ts'
import { type Page, readMomentsPage } from './shared-moments.ts'
import { roleColumns, rolesOf } from './shared-rows.ts'
import { sharedBeadView, sharedMomentViews, sharedPathView } from './shared-views.ts'

export function journeyNotFound(): Problem {
  return new Problem('not-found', { message: 'Journey not found' })
}

type SharedWhole = SharedJourney & {
  paths: SharedPath[]
  paths_cursor: string | null
  beads: SharedBead[]
  moments: SharedMoment[]
  next_cursor: string | null
  beads_cursor: string | null
}

/**
 * A journey shared by itself with its moments, or with its keeper and only the moments shared there.
 * @throws Problem 404; 400 for an invalid cursor
 */
export async function sharedJourney(
  services: Services,
  person: Person,
  { id: domainId, journeyId }: { id: string; journeyId: string },
  { pathsCursor, ...page }: Page & { pathsCursor?: string | undefined },
): Promise<SharedWhole> {
  const { db } = services
  await requireDomainTo(services, person, domainId, 'see')
  const [[alone], [ofKeeper]] = await Promise.all([
    loneJourneys(services, person, domainId, journeyId),
    journeysOfKeepers(services, person, domainId, { journeyId }),
  ])
  const journey = alone ? { ...alone, keeperId: ofKeeper?.keeperId ?? null } : ofKeeper
  if (!journey) throw journeyNotFound()
  const lying = db
    .selectFrom('moments')
    .where('moments.id', 'in', db.selectFrom(momentsOn(services, [journeyId]).as('lying')).select('lying.id'))
    .where(isMomentToRead(services, person, domainId))
  const [{ paths, next_cursor: paths_cursor }, readable, { rows, next_cursor }] = await Promise.all([
    readPaths(services, journeyId, pathsCursor),
    lying.select('moments.id').execute(),
    readMomentsPage(lying.selectAll('moments'), page),
  ])
  const mayKnow = new Set(readable.map(({ id }) => id))
  const place = page.cursor === undefined ? undefined : placeOf(page.cursor)
  const { beads, next_cursor: more } = await beadsOf(
    services,
    journeyId,
    place && [place.at, place.id],
    isMomentToRead(services, person, domainId),
  )
  const [oldest] = beads
  return {
    ...journey,
    paths: paths.map((path) => sharedPathView(path, mayKnow)),
    paths_cursor,
    beads: beads.map(sharedBeadView),
    moments: await sharedMomentViews(services, rows),
    next_cursor,
    beads_cursor: more !== null && oldest ? cursorAfter(Date.parse(oldest.occurredAt), oldest.id) : null,
  }
}

const journeyColumns = [
  'journeys.id',
  'journeys.title',
  'journeys.purpose',
  'journeys.status',
  'journeys.color',
  'share.shared_at',
  'people.id as giver_id',
  'people.name as giver_name',
] as const

/** Visible journeys shared by themselves, latest first; all of the domain, or one. */
export async function loneJourneys(
  services: Services,
  person: Pick<Person, 'id'>,
  domainId: string,
  journeyId?: string,
): Promise<SharedJourney[]> {
  const rows = await loneJourneysToRead(services, person, domainId)
    .innerJoin('people', 'people.id', 'share.owner_id')
    .select([...journeyColumns, ...roleColumns])
    .$if(journeyId !== undefined, (query) => query.where('journeys.id', '=', journeyId ?? ''))
    .orderBy('share.shared_at', 'desc')
    .orderBy('journeys.id')
    .execute()
  return rows.map((row) => journeyView(person, row, null))
}

/** Visible journeys shared with their keeper, newest first; all of one keeper, or one journey. */
export async function journeysOfKeepers(
  services: Services,
  person: Pick<Person, 'id'>,
  domainId: string,
  of: { keeperId: string } | { journeyId: string },
): Promise<SharedJourney[]> {
  const rows = await journeysOfKeepersToRead(services, person, domainId)
    .innerJoin('people', 'people.id', 'share.owner_id')
    .select([...journeyColumns, ...roleColumns, 'share.keeper_id'])
    .where((where) =>
      'keeperId' in of ? where('share.keeper_id', '=', of.keeperId) : where('journeys.id', '=', of.journeyId),
    )
    .orderBy('journeys.created_at', 'desc')
    .orderBy('journeys.id')
    .execute()
  return rows.map((row) => journeyView(person, row, row.keeper_id))
}

type Row = Parameters<typeof rolesOf>[0] & {
  id: string
  title: string
  purpose: string
  status: SharedJourney['status']
  color: SharedJourney['color']
  shared_at: number
  giver_id: string
  giver_name: string | null
}

const journeyView = (reader: Pick<Person, 'id'>, row: Row, keeperId: string | null): SharedJourney => ({
  id: row.id,
  title: row.title,
  purpose: row.purpose,
  status: row.status,
  color: row.color,
  owner: { id: row.giver_id, name: row.giver_name, isMe: row.giver_id === reader.id },
  keeperId,
  roles: rolesOf(row),
  sharedAt: new Date(row.shared_at).toISOString(),
})
