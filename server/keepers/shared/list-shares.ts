import { sql } from 'kysely'
import type { JourneyShareInfo, KeeperShareInfo } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { selectReaderCount, sharerIsMember } from '#server/domains/readable-shares.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { partColumns, roleColumns, toParts, toRoles } from './shared-rows.ts'

const readers = selectReaderCount({
  admin: sql`share.for_admin`,
  user: sql`share.for_user`,
  friend: sql`share.for_friend`,
  connection: sql`share.for_connection`,
}).as('readers')

/** Shares of a keeper and its journeys, by domain name. @throws Problem 404 */
export async function listSharesOfKeeper(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
): Promise<{ keeper: KeeperShareInfo[]; journeys: JourneyShareInfo[] }> {
  const { id } = await requireKeeperFor(services, person, keeperId)
  const [keepers, journeys] = await Promise.all([
    queryKeeperShares(services, person).where('share.keeper_id', '=', id).execute(),
    queryJourneyShares(services, person).where('journeys.keeper_id', '=', id).execute(),
  ])
  return { keeper: keepers.map(toKeeperShare), journeys: journeys.map(toJourneyShare) }
}

export async function findKeeperShare(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
  domainId: string,
): Promise<KeeperShareInfo | undefined> {
  const row = await queryKeeperShares(services, person)
    .where('share.keeper_id', '=', keeperId)
    .where('share.domain_id', '=', domainId)
    .executeTakeFirst()
  return row && toKeeperShare(row)
}

export async function findJourneyShare(
  services: Services,
  person: Pick<Person, 'id'>,
  journeyId: string,
  domainId: string,
): Promise<JourneyShareInfo | undefined> {
  const row = await queryJourneyShares(services, person)
    .where('share.journey_id', '=', journeyId)
    .where('share.domain_id', '=', domainId)
    .executeTakeFirst()
  return row && toJourneyShare(row)
}

const queryKeeperShares = ({ db }: Services, person: Pick<Person, 'id'>) =>
  db
    .selectFrom('domain_keepers as share')
    .innerJoin('domains', 'domains.id', 'share.domain_id')
    .where('share.owner_id', '=', person.id)
    .where(sharerIsMember)
    .select(['share.keeper_id', 'share.domain_id', 'share.shared_at', 'domains.name as domain_name', readers])
    .select([...roleColumns, ...partColumns])
    .orderBy('domains.name')
    .orderBy('domains.id')

const queryJourneyShares = ({ db }: Services, person: Pick<Person, 'id'>) =>
  db
    .selectFrom('domain_journeys as share')
    .innerJoin('domains', 'domains.id', 'share.domain_id')
    .innerJoin('journeys', 'journeys.id', 'share.journey_id')
    .where('share.owner_id', '=', person.id)
    .where('journeys.deleted_at', 'is', null)
    .where(sharerIsMember)
    .select(['share.journey_id', 'share.domain_id', 'share.shared_at', 'domains.name as domain_name', readers])
    .select(roleColumns)
    .orderBy('domains.name')
    .orderBy('domains.id')
    .orderBy('share.journey_id')

type KeeperShareRow = Awaited<ReturnType<ReturnType<typeof queryKeeperShares>['execute']>>[number]
type JourneyShareRow = Awaited<ReturnType<ReturnType<typeof queryJourneyShares>['execute']>>[number]

const toKeeperShare = (row: KeeperShareRow): KeeperShareInfo => ({
  domainId: row.domain_id,
  domainName: row.domain_name,
  keeperId: row.keeper_id,
  parts: toParts(row),
  roles: toRoles(row),
  readers: Number(row.readers),
  sharedAt: new Date(row.shared_at).toISOString(),
})

const toJourneyShare = (row: JourneyShareRow): JourneyShareInfo => ({
  domainId: row.domain_id,
  domainName: row.domain_name,
  journeyId: row.journey_id,
  roles: toRoles(row),
  readers: Number(row.readers),
  sharedAt: new Date(row.shared_at).toISOString(),
})
