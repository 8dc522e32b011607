import { type ExpressionBuilder, sql } from 'kysely'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { JourneyShareInfo, KeeperShareInfo, SharedPart } from '#contract/domains/sharing-in-domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import {
  createDomainNotFoundProblem,
  lockDomain,
  requireDomainAccess,
  retryOnConflict,
} from '#server/domains/domain-access.ts'
import { acceptMembership } from '#server/domains/members/members.ts'
import { publishDomainChanged } from '#server/domains/publish-domain-changed.ts'
import {
  canRevoke,
  createUnshareRefusedProblem,
  isSharerMember,
  selectReadableIndividualJourneys,
  selectReadableKeepers,
  selectReaderCount,
} from '#server/domains/readable-shares.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { createKeeperNotFound, requireKeeperFor } from '../keeper-access.ts'
import { roleColumns, toRoleColumns, toRoles } from './shared-views.ts'
import { createJourneyNotFound } from './show-shared-journey.ts'
import { partColumns, toPartColumns, toSharedParts } from './show-shared-keeper.ts'

const shareKinds = {
  keeper: {
    table: 'domain_keepers',
    idColumn: 'keeper_id',
    selectReadable: selectReadableKeepers,
    createNotFound: createKeeperNotFound,
  },
  journey: {
    table: 'domain_journeys',
    idColumn: 'journey_id',
    selectReadable: selectReadableIndividualJourneys,
    createNotFound: createJourneyNotFound,
  },
} as const
type ShareKind = keyof typeof shareKinds

/** @throws Problem 404, 403 where the person's role does not share */
export function shareKeeper(
  services: Services,
  person: Person,
  { id: domainId, keeperId }: { id: string; keeperId: string },
  input: { parts: SharedPart[]; roles: MemberRole[] },
): Promise<KeeperShareInfo> {
  const columns = { ...toPartColumns(input.parts), ...toRoleColumns(input.roles) }
  return saveShare(services, person, domainId, 'keeper', columns, async () => {
    const { id } = await requireKeeperFor(services, person, keeperId)
    const query = queryKeeperShares(services, person).where('share.keeper_id', '=', id)
    return {
      id,
      find: async () => (await query.where('share.domain_id', '=', domainId).execute()).map(toKeeperShare)[0],
    }
  })
}

/** Shares one journey with its moments. @throws Problem 404, 403 where the person's role does not share */
export function shareJourney(
  services: Services,
  person: Person,
  { id: domainId, journeyId }: { id: string; journeyId: string },
  input: { roles: MemberRole[] },
): Promise<JourneyShareInfo> {
  return saveShare(services, person, domainId, 'journey', toRoleColumns(input.roles), async () => {
    const { id } = await requireEntryFor(services, person, 'journey', journeyId)
    const query = queryJourneyShares(services, person).where('share.journey_id', '=', id)
    return {
      id,
      find: async () => (await query.where('share.domain_id', '=', domainId).execute()).map(toJourneyShare)[0],
    }
  })
}

/** An identical share writes nothing. */
async function saveShare<Info extends { roles: MemberRole[]; parts?: SharedPart[] }>(
  services: Services,
  person: Person,
  domainId: string,
  kind: ShareKind,
  columns: ReturnType<typeof toRoleColumns> & Partial<ReturnType<typeof toPartColumns>>,
  requireShared: () => Promise<{ id: string; find(): Promise<Info | undefined> }>,
): Promise<Info> {
  const { table, idColumn } = shareKinds[kind]
  return retryOnConflict(async () => {
    const domain = await requireDomainAccess(services, person, domainId, 'share')
    const { id, find } = await requireShared()
    const previous = await find()
    const roles = toRoles(columns).join(' ')
    const parts = toSharedParts(columns).join(' ')
    if (previous?.roles.join(' ') === roles && (previous.parts ?? []).join(' ') === parts) return previous
    const row = { domain_id: domainId, [idColumn]: id, owner_id: person.id, shared_at: services.now().getTime() }
    await services.db.batch([
      ...lockDomain(services, person, domain),
      ...acceptMembership(services, person, domain),
      services.db
        .insertInto(table as 'domain_keepers')
        .values({ ...row, ...columns } as never)
        .onConflict((conflict) => conflict.columns(['domain_id', idColumn as 'keeper_id']).doUpdateSet(columns)),
      insertAudit(services, {
        actor: person,
        domainId,
        ...(kind === 'keeper'
          ? { action: 'keeper-shared', details: { keeperId: id, parts, roles } }
          : { action: 'journey-shared', details: { journeyId: id, roles } }),
      }),
    ])
    await publishDomainChanged(services, domainId)
    const share = await find()
    // The person was removed from the domain concurrently.
    if (!share) throw createDomainNotFoundProblem()
    return share
  })
}

const readerCount = selectReaderCount({
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

const queryKeeperShares = ({ db }: Services, person: Pick<Person, 'id'>) =>
  db
    .selectFrom('domain_keepers as share')
    .innerJoin('domains', 'domains.id', 'share.domain_id')
    .where('share.owner_id', '=', person.id)
    .where(isSharerMember)
    .select(['share.keeper_id', 'share.domain_id', 'share.shared_at', 'domains.name as domain_name', readerCount])
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
    .where(isSharerMember)
    .select(['share.journey_id', 'share.domain_id', 'share.shared_at', 'domains.name as domain_name', readerCount])
    .select(roleColumns)
    .orderBy('domains.name')
    .orderBy('domains.id')
    .orderBy('share.journey_id')

type KeeperShareRow = Awaited<ReturnType<ReturnType<typeof queryKeeperShares>['execute']>>[number]
type JourneyShareRow = Awaited<ReturnType<ReturnType<typeof queryJourneyShares>['execute']>>[number]

const toShareFields = (row: KeeperShareRow | JourneyShareRow) => ({
  domainId: row.domain_id,
  domainName: row.domain_name,
  roles: toRoles(row),
  readers: Number(row.readers),
  sharedAt: toIsoTime(row.shared_at),
})

const toKeeperShare = (row: KeeperShareRow): KeeperShareInfo => ({
  ...toShareFields(row),
  keeperId: row.keeper_id,
  parts: toSharedParts(row),
})

const toJourneyShare = (row: JourneyShareRow): JourneyShareInfo => ({
  ...toShareFields(row),
  journeyId: row.journey_id,
})

/** Allowed to the sharer and to member managers. @throws Problem 404, 403 for a reader */
export async function revokeShare(
  services: Services,
  person: Person,
  domainId: string,
  kind: ShareKind,
  id: string,
): Promise<void> {
  const { table, idColumn, selectReadable, createNotFound } = shareKinds[kind]
  const isShare = (where: ExpressionBuilder<Schema, 'domain_keepers'>) =>
    where.and([where('domain_id', '=', domainId), where(idColumn as 'keeper_id', '=', id)])
  return retryOnConflict(async () => {
    const { db } = services
    const domain = await requireDomainAccess(services, person, domainId, 'see')
    const share = await db
      .selectFrom(table as 'domain_keepers')
      .select('owner_id')
      .where(isShare)
      .executeTakeFirst()
    if (!share) throw createNotFound()
    if (!canRevoke(person, domain.role, share.owner_id)) {
      const readable = (selectReadable as typeof selectReadableKeepers)(services, person, domainId)
        .select('share.domain_id')
        .where(`share.${idColumn as 'keeper_id'}`, '=', id)
      throw (await readable.executeTakeFirst()) ? createUnshareRefusedProblem() : createNotFound()
    }
    await db.batch([
      ...lockDomain(services, person, domain),
      requireChanges(db.deleteFrom(table as 'domain_keepers').where(isShare)),
      insertAudit(services, {
        actor: person,
        personId: share.owner_id,
        domainId,
        ...(kind === 'keeper'
          ? { action: 'keeper-unshared', details: { keeperId: id } }
          : { action: 'journey-unshared', details: { journeyId: id } }),
      }),
    ])
    await publishDomainChanged(services, domainId, [person.id])
  })
}
