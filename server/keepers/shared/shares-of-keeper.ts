import { sql } from 'kysely'
import type { ShareOfJourney, ShareOfKeeper } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { countReaders } from '#server/domains/count-readers.ts'
import { giverBelongs } from '#server/domains/giver-belongs.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { partColumns, partsOf, roleColumns, rolesOf } from './shared-rows.ts'

const readers = countReaders({
  admin: sql`share.for_admin`,
  user: sql`share.for_user`,
  friend: sql`share.for_friend`,
  connection: sql`share.for_connection`,
}).as('readers')

/** Shares of a keeper and its journeys, by domain name. @throws Problem 404 */
export async function sharesOfKeeper(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
): Promise<{ keeper: ShareOfKeeper[]; journeys: ShareOfJourney[] }> {
  const { id } = await requireKeeperFor(services, person, keeperId)
  const [keepers, journeys] = await Promise.all([
    givenKeepers(services, person).where('share.keeper_id', '=', id).execute(),
    givenJourneys(services, person).where('journeys.keeper_id', '=', id).execute(),
  ])
  return { keeper: keepers.map(keeperShare), journeys: journeys.map(journeyShare) }
}

export async function shareOfKeeperIn(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
  domainId: string,
): Promise<ShareOfKeeper | undefined> {
  const row = await givenKeepers(services, person)
    .where('share.keeper_id', '=', keeperId)
    .where('share.domain_id', '=', domainId)
    .executeTakeFirst()
  return row && keeperShare(row)
}

export async function shareOfJourneyIn(
  services: Services,
  person: Pick<Person, 'id'>,
  journeyId: string,
  domainId: string,
): Promise<ShareOfJourney | undefined> {
  const row = await givenJourneys(services, person)
    .where('share.journey_id', '=', journeyId)
    .where('share.domain_id', '=', domainId)
    .executeTakeFirst()
  return row && journeyShare(row)
}

const givenKeepers = ({ db }: Services, person: Pick<Person, 'id'>) =>
  db
    .selectFrom('domain_keepers as share')
    .innerJoin('domains', 'domains.id', 'share.domain_id')
    .where('share.owner_id', '=', person.id)
    .where(giverBelongs)
    .select(['share.keeper_id', 'share.domain_id', 'share.shared_at', 'domains.name as domain_name', readers])
    .select([...roleColumns, ...partColumns])
    .orderBy('domains.name')
    .orderBy('domains.id')

const givenJourneys = ({ db }: Services, person: Pick<Person, 'id'>) =>
  db
    .selectFrom('domain_journeys as share')
    .innerJoin('domains', 'domains.id', 'share.domain_id')
    .innerJoin('journeys', 'journeys.id', 'share.journey_id')
    .where('share.owner_id', '=', person.id)
    .where('journeys.deleted_at', 'is', null)
    .where(giverBelongs)
    .select(['share.journey_id', 'share.domain_id', 'share.shared_at', 'domains.name as domain_name', readers])
    .select(roleColumns)
    .orderBy('domains.name')
    .orderBy('domains.id')
    .orderBy('share.journey_id')

type KeeperRow = Awaited<ReturnType<ReturnType<typeof givenKeepers>['execute']>>[number]
type JourneyRow = Awaited<ReturnType<ReturnType<typeof givenJourneys>['execute']>>[number]

const keeperShare = (row: KeeperRow): ShareOfKeeper => ({
  domainId: row.domain_id,
  domainName: row.domain_name,
  keeperId: row.keeper_id,
  parts: partsOf(row),
  roles: rolesOf(row),
  readers: Number(row.readers),
  sharedAt: new Date(row.shared_at).toISOString(),
})

const journeyShare = (row: JourneyRow): ShareOfJourney => ({
  domainId: row.domain_id,
  domainName: row.domain_name,
  journeyId: row.journey_id,
  roles: rolesOf(row),
  readers: Number(row.readers),
  sharedAt: new Date(row.shared_at).toISOString(),
})
