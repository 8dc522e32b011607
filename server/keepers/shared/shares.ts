import { sql } from 'kysely'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { JourneyShareInfo, KeeperShareInfo, SharedPart } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { domainNotFound, lockDomain, requireDomainTo, retryOnConflict } from '#server/domains/domain-access.ts'
import { acceptMembership } from '#server/domains/members/members.ts'
import { publishDomainChanged } from '#server/domains/publish-domain-changed.ts'
import {
  canRevoke,
  revokeRefused,
  selectReadableIndividualJourneys,
  selectReadableKeepers,
  selectReaderCount,
  sharerIsMember,
} from '#server/domains/readable-shares.ts'
import type { Services } from '#server/services.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { createKeeperNotFound, requireKeeperFor } from '../keeper-access.ts'
import { roleColumns, toRoleColumns, toRoles } from './shared-views.ts'
import { createJourneyNotFound } from './show-shared-journey.ts'
import { partColumns, toPartColumns, toParts } from './show-shared-keeper.ts'

/** An identical share writes nothing. @throws Problem 404, 403 where the person's role does not share */
export async function shareKeeper(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
  input: { parts: SharedPart[]; roles: MemberRole[] },
): Promise<KeeperShareInfo> {
  return retryOnConflict(async () => {
    const domain = await requireDomainTo(services, person, domainId, 'share')
    const keeper = await requireKeeperFor(services, person, keeperId)
    const columns = { ...toPartColumns(input.parts), ...toRoleColumns(input.roles) }
    const previous = await findKeeperShare(services, person, keeper.id, domainId)
    const [parts, roles] = [toParts(columns).join(' '), toRoles(columns).join(' ')]
    if (previous?.parts.join(' ') === parts && previous.roles.join(' ') === roles) return previous
    await services.db.batch([
      ...lockDomain(services, person, domain),
      ...acceptMembership(services, person, domain),
      services.db
        .insertInto('domain_keepers')
        .values({
          domain_id: domainId,
          keeper_id: keeper.id,
          owner_id: person.id,
          shared_at: services.now().getTime(),
          ...columns,
        })
        .onConflict((conflict) => conflict.columns(['domain_id', 'keeper_id']).doUpdateSet(columns)),
      insertAudit(services, {
        action: 'keeper-shared',
        actor: person,
        domainId,
        details: { keeperId: keeper.id, parts, roles },
      }),
    ])
    await publishDomainChanged(services, domainId)
    const share = await findKeeperShare(services, person, keeper.id, domainId)
    // The person was removed from the domain concurrently.
    if (!share) throw domainNotFound()
    return share
  })
}

/** Shares one journey with its moments. @throws Problem 404, 403 where the person's role does not share */
export async function shareJourney(
  services: Services,
  person: Person,
  { id: domainId, journeyId }: { id: string; journeyId: string },
  input: { roles: MemberRole[] },
): Promise<JourneyShareInfo> {
  return retryOnConflict(async () => {
    const domain = await requireDomainTo(services, person, domainId, 'share')
    await requireEntryFor(services, person, 'journey', journeyId)
    const columns = toRoleColumns(input.roles)
    const previous = await findJourneyShare(services, person, journeyId, domainId)
    const roles = toRoles(columns).join(' ')
    if (previous?.roles.join(' ') === roles) return previous
    await services.db.batch([
      ...lockDomain(services, person, domain),
      ...acceptMembership(services, person, domain),
      services.db
        .insertInto('domain_journeys')
        .values({
          domain_id: domainId,
          journey_id: journeyId,
          owner_id: person.id,
          shared_at: services.now().getTime(),
          ...columns,
        })
        .onConflict((conflict) => conflict.columns(['domain_id', 'journey_id']).doUpdateSet(columns)),
      insertAudit(services, { action: 'journey-shared', actor: person, domainId, details: { journeyId, roles } }),
    ])
    await publishDomainChanged(services, domainId)
    const share = await findJourneyShare(services, person, journeyId, domainId)
    if (!share) throw domainNotFound()
    return share
  })
}

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

async function findKeeperShare(
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

async function findJourneyShare(
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

/** Allowed to the giver and to member managers. @throws Problem 404, 403 for a reader */
export async function revokeKeeperShare(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
): Promise<void> {
  return retryOnConflict(async () => {
    const domain = await requireDomainTo(services, person, domainId, 'see')
    const share = await services.db
      .selectFrom('domain_keepers')
      .select('owner_id')
      .where('domain_id', '=', domainId)
      .where('keeper_id', '=', keeperId)
      .executeTakeFirst()
    if (!share) throw createKeeperNotFound()
    if (!canRevoke(person, domain.role, share.owner_id)) {
      const readableShare = await selectReadableKeepers(services, person, domainId)
        .select('share.keeper_id')
        .where('share.keeper_id', '=', keeperId)
        .executeTakeFirst()
      throw readableShare ? revokeRefused() : createKeeperNotFound()
    }
    await services.db.batch([
      ...lockDomain(services, person, domain),
      requireChanges(
        services.db.deleteFrom('domain_keepers').where('domain_id', '=', domainId).where('keeper_id', '=', keeperId),
      ),
      insertAudit(services, {
        action: 'keeper-unshared',
        actor: person,
        personId: share.owner_id,
        domainId,
        details: { keeperId },
      }),
    ])
    await publishDomainChanged(services, domainId, [person.id])
  })
}

export async function revokeJourneyShare(
  services: Services,
  person: Person,
  { id: domainId, journeyId }: { id: string; journeyId: string },
): Promise<void> {
  return retryOnConflict(async () => {
    const domain = await requireDomainTo(services, person, domainId, 'see')
    const share = await services.db
      .selectFrom('domain_journeys')
      .select('owner_id')
      .where('domain_id', '=', domainId)
      .where('journey_id', '=', journeyId)
      .executeTakeFirst()
    if (!share) throw createJourneyNotFound()
    if (!canRevoke(person, domain.role, share.owner_id)) {
      const readableShare = await selectReadableIndividualJourneys(services, person, domainId)
        .select('share.journey_id')
        .where('share.journey_id', '=', journeyId)
        .executeTakeFirst()
      throw readableShare ? revokeRefused() : createJourneyNotFound()
    }
    await services.db.batch([
      ...lockDomain(services, person, domain),
      requireChanges(
        services.db.deleteFrom('domain_journeys').where('domain_id', '=', domainId).where('journey_id', '=', journeyId),
      ),
      insertAudit(services, {
        action: 'journey-unshared',
        actor: person,
        personId: share.owner_id,
        domainId,
        details: { journeyId },
      }),
    ])
    await publishDomainChanged(services, domainId, [person.id])
  })
}
