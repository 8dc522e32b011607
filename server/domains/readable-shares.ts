import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { canActInDomain, type DomainRole } from '#contract/domains/domain-actions.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { publishDomainChanged } from './publish-domain-changed.ts'

type ShareReader = Pick<Person, 'id'>
type OneOrMore = string | readonly string[]

/** SQL condition to read the row `share`: an active sharer, and the reader is sharer, domain owner or has an eligible role. */
const whereReadable = (reader: ShareReader) => sql<SqlBool>`exists (
  select 1
  from domains
  join people as sharer on sharer.id = share.owner_id and sharer.deactivated_at is null
  left join domain_members as sharer_membership on sharer_membership.domain_id = domains.id and sharer_membership.person_id = share.owner_id
  left join domain_members as reader_membership on reader_membership.domain_id = domains.id and reader_membership.person_id = ${reader.id}
  where domains.id = share.domain_id
    and (domains.owner_id = share.owner_id or sharer_membership.person_id is not null)
    and (
      share.owner_id = ${reader.id}
      or domains.owner_id = ${reader.id}
      or (reader_membership.role = 'admin' and share.for_admin)
      or (reader_membership.role = 'user' and share.for_user)
      or (reader_membership.role = 'friend' and share.for_friend)
      or (reader_membership.role = 'connection' and share.for_connection)
    )
)`

export function selectReadableKeepers({ db }: Services, reader: ShareReader, domainIds: OneOrMore) {
  return db
    .selectFrom('domain_keepers as share')
    .innerJoin('keepers', 'keepers.id', 'share.keeper_id')
    .whereRef('keepers.owner_id', '=', 'share.owner_id')
    .where('keepers.deleted_at', 'is', null)
    .where('share.domain_id', 'in', [domainIds].flat())
    .where(whereReadable(reader))
}

export function selectReadableIndividualJourneys({ db }: Services, reader: ShareReader, domainIds: OneOrMore) {
  return db
    .selectFrom('domain_journeys as share')
    .innerJoin('journeys', 'journeys.id', 'share.journey_id')
    .innerJoin('keepers', 'keepers.id', 'journeys.keeper_id')
    .whereRef('keepers.owner_id', '=', 'share.owner_id')
    .where('journeys.deleted_at', 'is', null)
    .where('keepers.deleted_at', 'is', null)
    .where('share.domain_id', 'in', [domainIds].flat())
    .where(whereReadable(reader))
}

export function selectReadableKeeperJourneys(services: Services, reader: ShareReader, domainIds: OneOrMore) {
  return selectReadableKeepers(services, reader, domainIds)
    .innerJoin('journeys', 'journeys.keeper_id', 'keepers.id')
    .where('share.with_journeys', '=', true)
    .where('journeys.deleted_at', 'is', null)
}

export const selectReaderCount = (roleConditions: Record<MemberRole, RawBuilder<SqlBool>>) => sql<number>`(
  select count(*)
  from domains
  join people on people.id = domains.owner_id
  where domains.id = share.domain_id
    and people.id <> share.owner_id
    and people.deactivated_at is null
) + (
  select count(*)
  from domain_members as reader_membership
  join domains on domains.id = reader_membership.domain_id
  join people on people.id = reader_membership.person_id
  where reader_membership.domain_id = share.domain_id
    and reader_membership.person_id <> share.owner_id
    and reader_membership.person_id <> domains.owner_id
    and people.deactivated_at is null
    and (
      (reader_membership.role = 'admin' and ${roleConditions.admin})
      or (reader_membership.role = 'user' and ${roleConditions.user})
      or (reader_membership.role = 'friend' and ${roleConditions.friend})
      or (reader_membership.role = 'connection' and ${roleConditions.connection})
    )
)`

export const isSharerMember = sql<SqlBool>`(
  domains.owner_id = share.owner_id
  or exists (
    select 1 from domain_members as sharer_membership
    where sharer_membership.domain_id = share.domain_id and sharer_membership.person_id = share.owner_id
  )
)`

export const canRevoke = (person: Pick<Person, 'id'>, role: DomainRole | null, ownerId: string): boolean =>
  role !== null && (ownerId === person.id || canActInDomain(role, 'manageMembers'))

export const createUnshareRefusedProblem = (): Problem =>
  new Problem('forbidden', {
    message: 'Only the person who shared this, or someone who manages the domain’s members, can unshare it.',
  })

export async function publishToReaders(services: Services, entity: 'keeper' | 'journey', id: string): Promise<void> {
  const { db, log } = services
  const sharedJourneys = db.selectFrom('domain_journeys').select('domain_id')
  const sharedDomains =
    entity === 'journey'
      ? sharedJourneys.where('journey_id', '=', id)
      : sharedJourneys
          .where('journey_id', 'in', db.selectFrom('journeys').select('id').where('keeper_id', '=', id))
          .union(db.selectFrom('domain_keepers').select('domain_id').where('keeper_id', '=', id))
  const domains = await sharedDomains
    .distinct()
    .execute()
    .catch((error: unknown) => {
      log.error({ err: error, [entity]: id }, 'the readers of a trashed or restored entity could not be notified')
      return []
    })
  for (const { domain_id } of domains) await publishDomainChanged(services, domain_id)
}
