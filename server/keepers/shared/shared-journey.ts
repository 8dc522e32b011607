import type { SharedBead, SharedJourney, SharedMoment, SharedPath } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireDomainTo } from '#server/domains/domain-access.ts'
import { journeysOfKeepersToRead, loneJourneysToRead } from '#server/domains/readable-shares.ts'
import { Problem } from '#server/http/problem.ts'
import { placeOf } from '#server/http/time-cursor.ts'
import type { Services } from '#server/services.ts'
import { beadsOf, momentsOn, pathViews } from '../journeys/journey-view.ts'
import { isMomentToRead } from './moments-to-read.ts'
import { cursorOf, isAfter, type Page, pageSize } from './shared-moments.ts'
import { roleColumns, rolesOf } from './shared-rows.ts'
import { sharedBeadView, sharedMomentViews, sharedPathView } from './shared-views.ts'

export function journeyNotFound(): Problem {
  return new Problem('not-found', { message: 'Journey not found' })
}

type SharedWhole = SharedJourney & {
  paths: SharedPath[]
  beads: SharedBead[]
  moments: SharedMoment[]
  next_cursor: string | null
  beads_cursor: string | null
}

/**
 * A journey that was given by itself, with all that lies on it; or with its keeper, and of what lies on it the moments
 * that were given too.
 * @throws Problem 404 for a journey this person may not read, 400 for a cursor that is none
 */
export async function sharedJourney(
  services: Services,
  person: Person,
  { id: domainId, journeyId }: { id: string; journeyId: string },
  page: Page,
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
  const limit = page.limit ?? pageSize
  const [pathRows, readable, rows] = await Promise.all([
    db
      .selectFrom('paths')
      .selectAll()
      .where('journey_id', '=', journeyId)
      .where('deleted_at', 'is', null)
      .orderBy('position')
      .orderBy('id')
      .execute(),
    lying.select('moments.id').execute(),
    lying
      .selectAll('moments')
      .$if(page.cursor !== undefined, (query) => query.where(isAfter(page.cursor ?? '')))
      .orderBy('moments.occurred_at', 'desc')
      .orderBy('moments.id', 'desc')
      .limit(limit + 1)
      .execute(),
  ])
  const mayKnow = new Set(readable.map(({ id }) => id))
  const paths = await pathViews(services, pathRows)
  const place = page.cursor === undefined ? undefined : placeOf(page.cursor)
  const { beads, next_cursor: more } = await beadsOf(
    services,
    journeyId,
    paths,
    place && [place.at, place.id],
    isMomentToRead(services, person, domainId),
  )
  const oldest = beads.slice(0, 1).map(({ id, occurredAt }) => ({ id, occurred_at: Date.parse(occurredAt) }))
  const shown = rows.slice(0, limit)
  return {
    ...journey,
    paths: paths.map((path) => sharedPathView(path, mayKnow)),
    beads: beads.map(sharedBeadView),
    moments: await sharedMomentViews(services, shown),
    next_cursor: cursorOf(rows.length > limit, shown),
    beads_cursor: cursorOf(more !== null, oldest),
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

/** Journeys given by themselves that this person may read, the latest first; all of the domain, or one. */
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

/** Journeys that were given with their keeper, the newest first; all of one keeper, or one journey. */
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
